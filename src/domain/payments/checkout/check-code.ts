import { minPrice } from "@/contract/vocabulary/prices";
import type { CodeLasts } from "@/contract/wire/desk/codes";
import { customer, visitor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { offerToBuy } from "../../offers/list";
import { authorize } from "../../permissions";
import { makesSeveralFree, takenOff } from "../port/promotion-code";
import type { CheckoutGateway } from "../port/stripe";
import { nthUseOfCode } from "../reading/code-uses";
import { expectSubscribable, translate } from "./order";

type Asked = { offer: string; code: string; quantity?: number | undefined; accountId: string | null };

/** What a code does to an order. `sure`: the provider has no further reason to refuse it. */
export type CheckedCode = { amount: number; off: number; lasts: CodeLasts | null; sure: boolean };

/**
 * What an order costs with a promotion code, in minor units, before there is a checkout. Refuses with `offer_unknown`,
 * `code_unknown` (also one whose uses are all held), `code_refused`, `code_for_one`, and as an order does.
 */
export async function checkCode(ctx: Ctx, gateway: CheckoutGateway, asked: Asked): Promise<CheckedCode> {
  const { quantity = 1, accountId } = asked;
  authorize(accountId ? customer(accountId) : visitor, "checkout.open");
  const { level, devices, every, amount, currency } = await offerToBuy(ctx, asked.offer);
  if (every !== null)
    await expectSubscribable(ctx, {
      accountId: null,
      quantity,
      gift: undefined,
      level: level.id,
      devices,
      every,
    });
  const code = await gateway.codeOffered(asked.code).catch(translate);
  if (code.limit !== null && (await nthUseOfCode(ctx, code.id, code.limit)).length > 0)
    throw new Refusal("code_unknown", { field: "code" });
  const terms = { amount, currency, quantity };
  if (makesSeveralFree(code.discount, terms)) throw new Refusal("code_for_one", { field: "code" });
  const off = code.discount === null ? 0 : takenOff(code.discount, terms);
  if (off === null) throw new Refusal("code_refused", { field: "code" });
  const left = amount * quantity - off;
  const isPayable = left === 0 || left >= minPrice(currency);
  return {
    amount: left,
    off,
    lasts: code.lasts,
    sure: code.discount !== null && !code.isConditional && isPayable,
  };
}
