import { test } from "bun:test";
import { sizes } from "./browser";
import { homeBeforeScripts } from "./journeys/early-status";

test("while scripts are on their way, Home says where the customer stands", () =>
  homeBeforeScripts(sizes[2]));
