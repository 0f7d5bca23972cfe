import { test } from "bun:test";
import { sizes } from "./browser";
import { buyAndRegister } from "./journeys/keyboard";

test("buying and registering need no mouse", () => buyAndRegister(sizes[2]));
