import { useEffect, useId, useMemo, useState } from "react";
import { brand } from "@/brand/brand";
import type { Offer } from "@/contract/wire/offers";
import type { CheckoutBody } from "@/contract/wire/payments";
import { giftLimits, maxKeysPerOrder } from "@/contract/vocabulary/bounds";
import { useFilledForm } from "../../hooks/use-filled-form";
import { buttonVariants } from "../../ui/button";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../ui/dialog";
import { Label } from "../../ui/label";
import { Field, takeFocus } from "../field";
import { LongText, tooLong } from "../long-text";
import { Buy } from "./buy";
import { isForSeveral, useChosenOffer } from "./chosen-offer";
import { GiftPreview } from "./gift-preview";
import { orderInHistory } from "./order-in-history";
import { useSale } from "./use-sale";
import type { WantedByLink } from "./wanted-by-link";

type Props = {
  /** Those that can be given, or bought several times. */
  offers: readonly Offer[];
  /** The offer that was chosen before the dialog opened. */
  first: Offer;
  wanted: WantedByLink;
};

/** Buys a gift, or more than one key. */
export function OrderDialog(props: Props & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { open, onOpenChange, ...order } = props;
  const { gift } = order.wanted;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        // a field comes to stand above the foot
        className="scroll-pb-64 pb-0 sm:pb-0 low:scroll-pb-0 short:scroll-pb-0"
      >
        <DialogHeader>
          <DialogTitle>{gift ? `Send ${brand.shortName} as a gift` : "Buy more than one"}</DialogTitle>
          <DialogDescription>
            {gift
              ? "We email them the key after you pay. Your receipt won't show it."
              : "Each key belongs to the first account that uses it."}
          </DialogDescription>
        </DialogHeader>
        {gift ? <GiftOrder {...order} /> : <SeveralOrder {...order} />}
      </DialogContent>
    </Dialog>
  );
}

const look = {
  button: buttonVariants({ size: "lg" }),
  price: "text-2xl",
  // stays in view while the fields scroll
  foot: "sticky bottom-0 low:static -mx-5 border-t bg-popover px-5 pt-3 pb-5 sm:-mx-6 sm:px-6 sm:pb-6",
};

function GiftOrder({ offers, first }: Props) {
  const [offer = first, choose] = useChosenOffer(offers, first.id);
  const sale = useSale(offer);
  const id = useId();
  const { form, wrong } = useOrderForm(sale, giftFields, {
    check: (typed) => {
      const isAddress = /^\S+@\S+\.\S+$/.test(typed["gift.email"]);
      const from = tooLong(typed["gift.from"], giftLimits.from);
      const message = tooLong(typed["gift.message"], giftLimits.message);
      return {
        ...(!isAddress && { "gift.email": "Enter an email address" }),
        ...(from && { "gift.from": from }),
        ...(message && { "gift.message": message }),
      };
    },
    orderOf: (typed) => ({
      gift: withoutEmpty({
        email: typed["gift.email"],
        from: typed["gift.from"],
        message: typed["gift.message"],
      }),
    }),
  });
  return (
    <Buy
      sale={sale}
      offers={offers}
      onChoose={choose}
      purchase="Purchase gift"
      look={look}
      form={{ id, fields: giftFields }}
      what={offer.name}
    >
      {!isForSeveral(first) && (
        <p className="text-sm text-soft">{`A subscription can't be a gift. This gift is ${offer.name}.`}</p>
      )}
      <form id={id} className="flex flex-col gap-5" aria-label="Order" {...form}>
        <GiftFields product={offer.name} wrongIn={wrong} />
      </form>
    </Buy>
  );
}

function SeveralOrder({ offers, first, wanted }: Props) {
  const [offer = first, choose] = useChosenOffer(offers, first.id);
  const [typed, type] = useState(String(wanted.quantity));
  const quantity = isQuantity(Number(typed)) ? Number(typed) : null;
  const sale = useSale(offer, quantity, useSettled(quantity));
  const id = useId();
  const { form, wrong } = useOrderForm(sale, ["quantity"], {
    check: () => (quantity === null ? { quantity: `Choose from 1 to ${maxKeysPerOrder}` } : {}),
    orderOf: () => ({ quantity: quantity ?? 1 }),
  });
  return (
    <Buy
      sale={sale}
      offers={offers}
      onChoose={choose}
      purchase={quantity === null || quantity === 1 ? "Purchase" : `Purchase ${quantity} keys`}
      look={look}
      form={{ id, fields: ["quantity"] }}
      what={quantity === null ? offer.name : `${quantity} × ${offer.name}`}
    >
      {!isForSeveral(first) && (
        <p className="text-sm text-soft">{`A subscription is bought one at a time. This order is for ${offer.name}.`}</p>
      )}
      <form id={id} aria-label="Order" {...form}>
        <Field
          label="How many keys"
          name="quantity"
          ref={takeFocus}
          type="number"
          inputMode="numeric"
          min={1}
          max={maxKeysPerOrder}
          step={1}
          value={typed}
          onChange={(event) => type(event.target.value)}
          wrong={wrong("quantity")}
        />
      </form>
    </Buy>
  );
}

const settlesMilliseconds = 500;

/** A number that is being typed, once it stays as it is. */
function useSettled(value: number | null): number | null {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), settlesMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

type FieldName = "quantity" | (typeof giftFields)[number];
type Typed<Name extends FieldName> = Record<Name, string>;

/** The form of an order. All fields are optional to it, because `check` has its own sentences for empty ones. */
function useOrderForm<Name extends FieldName>(
  { problem, open }: ReturnType<typeof useSale>,
  names: readonly Name[],
  {
    check,
    orderOf,
  }: {
    check: (typed: Typed<Name>) => Partial<Record<Name, string>>;
    orderOf: (typed: Typed<Name>) => Pick<CheckoutBody, "gift" | "quantity">;
  },
) {
  return useFilledForm(names, (typed) => void open(orderOf(typed)), {
    problem: useMemo(() => (problem ? { message: problem.problem, field: problem.field } : null), [problem]),
    optional: names,
    check,
  });
}

function GiftFields(props: { product: string; wrongIn: (name: GiftField) => true | string | undefined }) {
  const { product, wrongIn } = props;
  const id = useId();
  const left = orderInHistory()?.gift;
  const [from, setFrom] = useState(left?.from ?? "");
  const [message, setMessage] = useState(left?.message ?? "");
  return (
    <>
      <Field
        label="Their email"
        name="gift.email"
        ref={takeFocus}
        type="email"
        autoComplete="off"
        defaultValue={left?.email}
        wrong={wrongIn("gift.email")}
      />
      <Field
        label="From"
        name="gift.from"
        aside={<span className="text-xs text-muted-foreground">Optional</span>}
        aria-required="false"
        autoComplete="name"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        wrong={tooLong(from, giftLimits.from) ?? wrongIn("gift.from")}
      />
      <div className="flex flex-col gap-2">
        <div className="flex min-h-5 items-center justify-between">
          <Label htmlFor={id}>Message</Label>
          <span className="text-xs text-muted-foreground">Optional</span>
        </div>
        <LongText
          id={id}
          name="gift.message"
          rows={3}
          most={giftLimits.message}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          wrong={wrongIn("gift.message")}
        />
      </div>
      <GiftPreview product={product} from={from} message={message} />
    </>
  );
}

const isQuantity = (keys: number) => Number.isInteger(keys) && keys >= 1 && keys <= maxKeysPerOrder;

const giftFields = ["gift.email", "gift.from", "gift.message"] as const;
type GiftField = (typeof giftFields)[number];

/** Drops the optional fields left empty. */
const withoutEmpty = ({ email, from, message }: Required<NonNullable<CheckoutBody["gift"]>>) => ({
  email,
  ...(from && { from }),
  ...(message && { message }),
});
