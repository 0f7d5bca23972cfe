import { test } from "bun:test";
import { sizes } from "./browser";
import { subscribe } from "./journeys/subscription";

test("from a trial over a year, a failed payment, another card and a cancellation to a lifetime", () =>
  subscribe(sizes[2]));
