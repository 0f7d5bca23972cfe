import { expect, test } from "bun:test";
import { allTopics, laneOf } from "@/domain/topics";

test("no two topics have the same name, which the outbox stores", () => {
  expect(allTopics.toSorted()).toEqual([...new Set(allTopics)].toSorted());
});

test("topics whose names begin alike share a lane, but for the emails that must not wait and those that may", () => {
  const elsewhere = allTopics.filter((name) => laneOf(name) !== name.split(".")[0]);
  expect(
    elsewhere
      .map((name) => [name, laneOf(name)])
      .toSorted((one, other) => String(one).localeCompare(String(other))),
  ).toEqual([
    ["bulk.deferred", "deferred"],
    ["mail.recovery-code", "urgent"],
  ]);
});

test("a topic that only another release knows has the lane that its name begins with", () => {
  expect(["ticket.later", "later"].map(laneOf)).toEqual(["ticket", "later"]);
});
