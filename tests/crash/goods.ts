import type { Random } from "./random";

/** What the buyers of stories and crash tests choose from. */
export const month = { id: "month", name: "One month", amount: 200, days: 365 };
export const codes = { HALF: 50, FREE: 100 } as const;

/** What a buyer asks for, in the form that `create-checkout-session` accepts. */
export type Wanted = {
  offer?: string;
  quantity?: number;
  gift?: { email: string; from: string; message: string };
  code?: keyof typeof codes;
};

/** Makes the promotion codes at the simulator. */
export async function makeCodes(stripeUrl: string, secretKey: string): Promise<void> {
  const post = async (path: string, fields: Record<string, string>): Promise<string> => {
    const answer = await fetch(new URL(path, stripeUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}` },
      body: new URLSearchParams(fields),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { id: string }).id;
  };
  for (const [code, percent] of Object.entries(codes)) {
    const coupon = await post("/v1/coupons", { percent_off: String(percent), duration: "once" });
    await post("/v1/promotion_codes", { "promotion[type]": "coupon", "promotion[coupon]": coupon, code });
  }
}

/** Half of the buyers want what the default shop sells; `gifts` are allowed only if nobody needs the key. */
export function wantedBy(random: Random, { name, gifts }: { name: string; gifts: boolean }): Wanted {
  if (random.next() < 0.5) return {};
  const offer = random.next() < 0.4 ? { offer: month.id } : {};
  const code = random.next() < 0.4 ? { code: random.pick(["HALF", "FREE"] as const) } : {};
  if (gifts && random.next() < 0.3) {
    return {
      ...offer,
      ...code,
      gift: { email: `receiver.${name}@example.com`, from: name, message: "Enjoy!" },
    };
  }
  const several = random.next() < 0.5 ? { quantity: random.whole(2, 6) } : {};
  // several can't be free
  const fitting = "quantity" in several && code.code === "FREE" ? {} : code;
  return { ...offer, ...fitting, ...several };
}
