import { expect, test } from "bun:test";
import {
  connect,
  customer,
  holders,
  waitForBot,
  waitForChanges,
  waitForHolders,
} from "../../support/people/discord";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "ticket 12"];

async function idOf(stage: Stage, name: string): Promise<string> {
  const { members } = await stage.atDiscord("members");
  return members.find((one: { username: string }) => one.username === name).id;
}

/** Two customers who are connected and hold the role, and a member without an account. */
async function community() {
  const stage = await openStage({ discord: true });
  await waitForBot(stage);
  const [ada, dora] = [await customer(stage, "ada"), await customer(stage, "dora")];
  await connect(stage, ada.person, "ada");
  await connect(stage, dora.person, "dora");
  await waitForHolders(stage, ["ada", "dora"]);
  return { stage, ada, dora };
}

test("moving a link to another Discord user moves the role", async () => {
  const { stage, ada } = await community();
  await using _ = stage;
  const mallory = await idOf(stage, "mallory");
  const shown = await operated(stage, "links", "show", "ada");
  expect(shown).toMatchObject({ discord_user: await idOf(stage, "ada"), role: "held" });
  await operated(stage, "links", "move", "ada", "--to-user", mallory, ...why);
  await waitForHolders(stage, ["dora", "mallory"]);
  expect(await operated(stage, "links", "show", mallory)).toMatchObject({ account: { username: "ada" } });
  expect((await ada.person.get("/api/user/me")).body.data.discord_authed).toBe(true);
  const [entry] = await operated(stage, "audit", "show", "--action", "discord.relinked");
  expect(entry).toMatchObject({ actor: "operator", reason: "ticket 12", subject: mallory });
});

test("a Discord user moved to another account has the role which that account gives", async () => {
  const { stage } = await community();
  await using _ = stage;
  const trial = await customer(stage, "trial", 1);
  await operated(stage, "links", "move", "ada", "--to-account", "trial", ...why);
  await waitForChanges(stage);
  expect(await holders(stage)).toEqual(["ada", "dora"]);
  expect(await operated(stage, "links", "show", "ada")).toMatchObject({ discord_user: null });
  const { id } = await operated(stage, "licences", "show", (await licenceOf(trial.person)) ?? "");
  await operated(stage, "licences", "suspend", id, ...why);
  await waitForHolders(stage, ["dora"]);
});

const licenceOf = async (person: { get(path: string): Promise<{ body: { data: { key: string }[] } }> }) =>
  (await person.get("/api/licenses/me")).body.data[0]?.key;

test("an existing link on either side is refused, unless it is to be replaced", async () => {
  const { stage } = await community();
  await using _ = stage;
  const dora = await idOf(stage, "dora");
  const toUser = ["links", "move", "ada", "--to-user", dora, ...why];
  const toAccount = ["links", "move", "ada", "--to-account", "dora", ...why];
  for (const refused of [toUser, toAccount]) {
    expect(await operate(stage, ...refused)).toMatchObject({
      code: 1,
      err: "The other side is already connected. Use --replace to end that connection.\n",
    });
  }
  expect(await holders(stage)).toEqual(["ada", "dora"]);
  await operated(stage, ...toUser, "--replace");
  await waitForHolders(stage, ["dora"]);
  expect(await operated(stage, "links", "show", "dora")).toMatchObject({ discord_user: null });
});

test("a link is removed with its role; unknown, mistyped or contradictory targets are refused", async () => {
  const { stage } = await community();
  await using _ = stage;
  await operated(stage, "links", "remove", await idOf(stage, "ada"), ...why);
  await waitForHolders(stage, ["dora"]);
  const again = await operate(stage, "links", "remove", "ada", ...why);
  expect(again).toMatchObject({ code: 1, err: "That account is not connected to a Discord user.\n" });
  const nothing = await operate(stage, "links", "move", "ada", "--to-account", "dora", ...why);
  expect(nothing.err).toBe(again.err);
  const mistyped = [
    ["links", "move", "ada", ...why],
    ["links", "move", "ada", "--to-user", "17", ...why],
    ["links", "move", "ada", "--to-user", "123456789012345678", "--to-account", "dora", ...why],
  ];
  for (const one of mistyped) expect((await operate(stage, ...one)).code).toBe(2);
});
