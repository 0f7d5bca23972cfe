/**
 * The script inside the page of the dashboard's home. On a slow line the app comes seconds after its page and the
 * account's data: until then this writes where the customer stands into the skeleton.
 */
import type { Licence } from "@/contract/wire/licences";
import type { Subscription } from "@/contract/wire/subscriptions";
import { cameAsVisitor } from "./api/visitor";
import { askEarly, earlyPlaces } from "./page/early";
import { disputedLicence, accountStatus } from "./parts/licence/account-status";

if (!cameAsVisitor()) void showStanding().catch(() => {});

async function showStanding() {
  const [licences, unused] = await Promise.all([
    listOf<Licence>("/api/licenses/me"),
    listOf<unknown>("/api/licenses/unused"),
  ]);
  // the app asks for its payment too
  if (disputedLicence(licences)) return;
  const subscribed = licences.some(({ subscription }) => subscription !== null);
  const subscriptions = subscribed ? await listOf<Subscription>("/api/subscriptions") : [];
  const { title, sentence } = accountStatus({
    licences,
    hasUnusedKey: unused.length > 0,
    disputed: null,
    subscriptions,
    now: new Date(),
  });
  const words = (window.earlyStanding = { title: title.join(" · "), sentence: sentence ?? "" });
  for (const name of earlyPlaces) {
    const place = document.querySelector(`[data-early="${name}"]`);
    if (place) place.textContent = words[name];
  }
}

/** @throws {Error} the call was refused, as the app will find out, too */
async function listOf<Row>(path: string): Promise<Row[]> {
  const answer = await askEarly(path);
  if (!answer.ok) throw new Error(String(answer.status));
  const { data }: { data: Row[] } = await answer.json();
  return data;
}
