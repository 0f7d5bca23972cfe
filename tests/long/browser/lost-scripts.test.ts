import { test } from "bun:test";
import { loseEachScriptOf } from "../../browser/journeys/lost-scripts";

// every day: /login
for (const path of ["/", "/commands", "/tos"]) {
  test(`${path} stays readable, whichever one script is lost, and works once that script arrives`, () =>
    loseEachScriptOf(path));
}
