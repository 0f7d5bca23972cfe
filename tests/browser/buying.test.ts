import { test } from "bun:test";
import { sizes } from "./browser";
import { canceledGift, pending, sentToSignIn } from "./journeys/buying";

test("a canceled gift is tried again with the same receiver and words", () => canceledGift(sizes[2]));

test("a pending payment says what happens next, and becomes the result by itself", () => pending(sizes[2]));

test("somebody who is sent to sign in reads why, and comes back with the file they wanted", () =>
  sentToSignIn(sizes[2]));
