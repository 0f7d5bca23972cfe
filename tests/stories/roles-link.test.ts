import { expect, test } from "bun:test";
import { authorize, botIsUp, customer, holders } from "../community";
import { openStage } from "../stage";

test("connecting a Discord user joins the server and gives the role within a second", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "tim");
  await botIsUp(stage);
  const returned = await authorize(stage, person, "tim");
  const began = performance.now();
  const answer = await person.post("/api/discord/auth/callback", returned);
  const took = performance.now() - began;
  console.log(`link → role: ${took.toFixed(0)} ms`);
  expect(answer.body).toMatchObject({ status: 200, status_message: "Success" });
  expect(await holders(stage)).toEqual(["tim"]);
  expect(took).toBeLessThan(1000);
  expect((await person.get("/api/user/me")).body.data.discord_authed).toBe(true);
  expect((await person.get("/api/discord/me")).body.data).toMatchObject({
    connected: true,
    name: "Tim",
    role: { held: true, reason: "held", join_url: null },
  });
});
