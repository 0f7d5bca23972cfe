/**
 * The script inside the page of the dashboard's home. On a slow line the app comes seconds after its page and the
 * account's data: until then this writes where the customer stands into the skeleton.
 */
import type { Me } from "@/contract/wire/accounts";
import type { Licence, UnusedKey } from "@/contract/wire/licences";
import type { Payment } from "@/contract/wire/payments";
import type { Subscription } from "@/contract/wire/subscriptions";
import { cameAsVisitor } from "./api/visitor";
import { askEarly, earlyPlaces } from "./page/early";
import { accountStatus, alsoNeeded } from "./parts/licence/account-status";

if (!cameAsVisitor()) void showStanding().catch(() => {});

async function showStanding() {
  const now = new Date();
  const [me, licences, unused] = await Promise.all([
    answerTo<Me>("/api/user/me"),
    answerTo<Licence[]>("/api/licenses/me"),
    answerTo<UnusedKey[]>("/api/licenses/unused"),
  ]);
  const level = me.level?.id ?? null;
  const needed = alsoNeeded({ licences, level, now });
  // the app asks for both too
  const [payments, subscriptions] = await Promise.all([
    needed.payments ? answerTo<Payment[]>("/api/payments") : [],
    needed.subscriptions ? answerTo<Subscription[]>("/api/subscriptions") : [],
  ]);
  const { title, sentence } = accountStatus({
    licences,
    unused,
    payments,
    subscriptions,
    // our own server wrote them into the page
    offers: JSON.parse(document.documentElement.dataset["offers"] || "[]"),
    pastDue: me.past_due,
    level,
    // neither is in the words
    installed: true,
    downloaded: true,
    reach: "here",
    now,
  });
  const words = (window.earlyStanding = { title: title.join(" · "), sentence: sentence ?? "" });
  for (const name of earlyPlaces) {
    const place = document.querySelector(`[data-early="${name}"]`);
    if (place) place.textContent = words[name];
  }
}

/** @throws {Error} the call was refused, as the app will find out, too */
async function answerTo<Data>(path: string): Promise<Data> {
  const answer = await askEarly(path);
  if (!answer.ok) throw new Error(String(answer.status));
  const { data }: { data: Data } = await answer.json();
  return data;
}
