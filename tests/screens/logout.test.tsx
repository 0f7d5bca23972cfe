import { expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { asAda, ok, refused, silence, unreachable, visit } from "./browser";

const logout = "POST /api/auth/logout";

test("it says what it does, ends the session and goes home", async () => {
  const page = visit("/logout", { [logout]: silence });
  await screen.findByText("Logging you out…");
  await waitFor(() => expect(page.named(logout)).toHaveLength(1));
  page.unmount();

  const { named } = visit("/logout", { [logout]: ok(null) });
  await waitFor(() => expect(location.pathname).toBe("/"));
  expect(named(logout)).toHaveLength(1);
});

for (const [how, answer] of [
  ["is out of reach", unreachable],
  ["fails", refused(503, "The shop is busy")],
] as const) {
  test(`when the server ${how}, a toast says so and it still goes home`, async () => {
    const { named } = visit("/logout", { ...asAda, [logout]: answer });
    await screen.findByText("There was an error logging you out, server unreachable");
    expect(location.pathname).toBe("/");
    // the cached account is dropped, so the page fetches it again
    await waitFor(() => expect(named("GET /api/user/me").length).toBeGreaterThan(1));
  });
}
