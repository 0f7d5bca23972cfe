import { expect, test } from "bun:test";
import { waitFor } from "@testing-library/react";
import { asAda, ok, visit } from "./browser";

const look = "POST /api/subscriptions/look";

test("the page that Stripe's leads back to has the shop check the subscription once, and forgets its id", async () => {
  const page = visit("/dashboard?changed=s1", { ...asAda, [look]: ok(null) });
  await waitFor(() => expect(page.sent(look)).toEqual([{ id: "s1" }]));
  await waitFor(() => expect(location.search).toBe(""));
  expect(page.named(look)).toHaveLength(1);
});
