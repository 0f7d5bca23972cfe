import { expect, test } from "bun:test";
import {
  deviceWords,
  licenceWords,
  ownSubscriptionWords,
  ownWords,
  paymentWords,
  type StateWords,
  subscriptionWords,
  ticketWords,
  turnWords,
} from "@/contract/vocabulary/state-words";
import { licenceRow, paymentRow, subscriptionRow, ticketRow } from "@/contract/wire/desk/rows";
import { licence } from "@/contract/wire/licences";
import { payment } from "@/contract/wire/payments";
import { subscription } from "@/contract/wire/subscriptions";
import { ticketSummary } from "@/contract/wire/tickets";
import { licenseResource, orderResource, subscriptionResource } from "@/contract/wire/webhooks";
import { deviceState } from "@/contract/vocabulary/devices";

const states = (one: { options: readonly string[] }) => one.options;

for (const [what, sent, words] of [
  ["payment at the desk", states(paymentRow.shape.status), paymentWords],
  ["payment of one's own", states(payment.shape.status), paymentWords],
  ["order in a webhook", states(orderResource.shape.state), paymentWords],
  ["license at the desk", states(licenceRow.shape.status), licenceWords],
  ["license of one's own", states(licence.shape.status), licenceWords],
  ["license in a webhook", states(licenseResource.shape.state), licenceWords],
  ["subscription at the desk", states(subscriptionRow.shape.status), subscriptionWords],
  ["subscription of one's own", states(subscription.shape.status), ownSubscriptionWords],
  ["subscription in a webhook", states(subscriptionResource.shape.state), subscriptionWords],
  ["ticket at the desk", states(ticketRow.shape.status), ticketWords],
  ["ticket of one's own", states(ticketSummary.shape.state), ticketWords],
  ["ticket's turn", states(ticketRow.shape.waiting_for.unwrap()), turnWords],
] as const) {
  test(`every state of a ${what} has a word that people can read`, () => {
    const known: Readonly<Record<string, StateWords>> = words;
    const said = sent.map((state) => [
      state,
      known[state]?.word,
      known[state] && ownWords(known[state]).word,
    ]);
    for (const [state, ...both] of said)
      for (const word of both)
        expect([state, word]).toEqual([state, expect.stringMatching(/^[A-Z][a-z' ]+$/)]);
  });
}

test("no two states that staff tell apart have one word", () => {
  for (const words of [paymentWords, licenceWords, subscriptionWords, ticketWords, turnWords, deviceWords]) {
    const said = Object.values(words).map(({ word }) => word);
    expect(said).toEqual([...new Set(said)]);
  }
});

test("a computer is in use until it has no seat, is deactivated there, or runs by a file", () => {
  const now = new Date("2026-12-01T00:00:00Z");
  const [earlier, later] = ["2026-11-30T00:00:00Z", new Date("2026-12-02T00:00:00Z")];
  const state = (changes: object) =>
    deviceState({ active: true, deactivated_at: null, offline_until: null, ...changes }, now);
  expect(state({})).toBe("in_use");
  expect(state({ offline_until: earlier })).toBe("in_use");
  expect(state({ offline_until: later })).toBe("offline_file");
  expect(state({ offline_until: later, deactivated_at: earlier })).toBe("deactivated");
  expect(state({ active: false, deactivated_at: earlier })).toBe("no_place");
});
