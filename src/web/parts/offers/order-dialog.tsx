import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import { money } from "@/contract/vocabulary/money";
import type { Offer } from "@/contract/wire/offers";
import type { CheckoutBody } from "@/contract/wire/payments";
import { giftLimits, maxKeysPerOrder } from "@/contract/vocabulary/bounds";
import { useFilledForm } from "../../hooks/use-filled-form";
import { useVisibleArea } from "../../hooks/use-visible-area";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "../../ui/dialog";
import { Label } from "../../ui/label";
import { Field } from "../field";
import { LongText, tooLong } from "../long-text";
import { SubmitButton } from "../submit-button";
import { isForSeveral, useChosenOffer } from "./chosen-offer";
import { GiftPreview } from "./gift-preview";
import { orderInHistory } from "./order-in-history";
import { OfferChoice } from "./offer-choice";
import { OrderNotes } from "./order-notes";
import { useCheckout } from "./use-checkout";
import type { WantedByLink } from "./wanted-by-link";

type Props = {
  offers: readonly Offer[];
  /** The offer that is selected when the dialog opens. */
  first: Offer;
  code: string | null;
  wanted: WantedByLink | null;
};

/** Buys several keys, or one as a gift. */
export function OrderDialog(props: Props & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { open, onOpenChange, ...form } = props;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <OrderContent>
        <DialogHeader>
          <DialogTitle>Buy several, or a gift</DialogTitle>
          <DialogDescription>Each key belongs to the first account that uses it.</DialogDescription>
        </DialogHeader>
        <OrderForm {...form} />
      </OrderContent>
    </Dialog>
  );
}

/** As high as the window, or the part of it above an on-screen keyboard. */
function OrderContent({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useVisibleArea(content);
  return (
    <DialogContent
      ref={content}
      // what is chosen already, instead of the first choice
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        content.current?.querySelector<HTMLElement>("input:checked")?.focus();
      }}
      className="top-[calc(var(--visible-top,0px)+var(--visible-height,100dvh)/2)] max-h-[calc(var(--visible-height,100dvh)-1.5rem)] pb-0 sm:pb-0"
    >
      {children}
    </DialogContent>
  );
}

function OrderForm({ offers: all, first, code, wanted }: Props) {
  const checkout = useCheckout();
  const offers = all.filter(isForSeveral);
  const [offer = first, choose] = useChosenOffer(offers, first.id);
  const [isGift, setIsGift] = useState(wanted?.gift ?? false);
  const [quantity, setQuantity] = useState(String(wanted?.quantity ?? 2));
  const keys = isGift ? 1 : Number(quantity);
  const total = isQuantity(keys) ? money(offer.amount * keys, offer.currency) : "-";
  const { form, wrong, alert } = useFilledForm(
    namesOf(isGift),
    (typed) => {
      const gift = { email: typed["gift.email"], from: typed["gift.from"], message: typed["gift.message"] };
      void checkout.open({
        currency: offer.currency,
        ...(offer === all[0] ? {} : { offer: offer.id }),
        ...(isGift ? { gift: withoutEmpty(gift) } : { quantity: keys }),
      });
    },
    {
      problem: useMemo(
        () => checkout.problem && { message: checkout.problem.problem, field: checkout.problem.field },
        [checkout.problem],
      ),
      // all optional, because `check` has its own sentences for empty fields
      optional: fields,
      check: (typed) => {
        if (!isGift) return isQuantity(keys) ? {} : { quantity: `Choose from 1 to ${maxKeysPerOrder}` };
        const isAddress = /^\S+@\S+\.\S+$/.test(typed["gift.email"]);
        const from = tooLong(typed["gift.from"], giftLimits.from);
        const message = tooLong(typed["gift.message"], giftLimits.message);
        return {
          ...(!isAddress && { "gift.email": "Enter an email address" }),
          ...(from && { "gift.from": from }),
          ...(message && { "gift.message": message }),
        };
      },
    },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Order" {...form}>
      {!isForSeveral(first) && (
        <p className="text-sm text-soft">
          A subscription can&apos;t be given or bought several times at once. This order is for{" "}
          <strong className="font-semibold">{offer.name}</strong>.
        </p>
      )}
      {offers.length > 1 && <OfferChoice offers={offers} chosen={offer} onChoose={choose} />}
      <Recipient isGift={isGift} onChange={setIsGift} />
      {isGift ? (
        <GiftFields product={offer.name} wrongIn={wrong} />
      ) : (
        <Field
          label="How many keys"
          name="quantity"
          type="number"
          inputMode="numeric"
          min={1}
          max={maxKeysPerOrder}
          step={1}
          value={quantity}
          onChange={(event) => setQuantity(event.target.value)}
          wrong={wrong("quantity")}
        />
      )}
      <OrderNotes
        offer={isGift ? { ...offer, adds: true } : offer}
        code={keys > 1 && code === checkout.codeForOne ? null : code}
      />
      {/* stays in view while the fields scroll */}
      <div className="sticky bottom-0 short:static -mx-5 flex flex-col gap-3 border-t bg-popover px-5 pt-3 pb-5 sm:-mx-6 sm:px-6 sm:pb-6">
        <p className="flex items-baseline justify-between gap-4">
          <span className="text-sm text-muted-foreground">
            {isGift || !isQuantity(keys) ? offer.name : `${keys} × ${offer.name}`}
          </span>
          <output className="text-xl font-semibold tabular-nums">{total}</output>
        </p>
        <SubmitButton pending={checkout.opening} doing="Opening checkout…">
          Continue to checkout
        </SubmitButton>
        {alert && (
          <p role="alert" className="text-sm text-destructive-text">
            {alert.message}
          </p>
        )}
      </div>
    </form>
  );
}

function Recipient({ isGift, onChange }: { isGift: boolean; onChange: (isGift: boolean) => void }) {
  const group = useId();
  const option = (gift: boolean, label: string) => (
    <label className="flex min-h-11 flex-1 cursor-pointer items-center justify-center rounded-md px-3 text-center text-sm font-medium text-muted-foreground transition-colors has-checked:bg-accent has-checked:text-foreground has-focus-visible:ring-3 has-focus-visible:ring-ring">
      <input
        type="radio"
        name={group}
        checked={isGift === gift}
        onChange={() => onChange(gift)}
        className="sr-only"
      />
      {label}
    </label>
  );
  return (
    <fieldset className="rounded-lg border bg-well p-1">
      <legend className="sr-only">Who gets the keys</legend>
      <div className="flex">
        {option(false, "Keys for me")}
        {option(true, "A gift by email")}
      </div>
    </fieldset>
  );
}

function GiftFields(props: { product: string; wrongIn: (name: FieldName) => true | string | undefined }) {
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
      <p className="text-sm text-muted-foreground">
        The license key is mailed to them once you have paid. You get a receipt without it.
      </p>
      <GiftPreview product={product} from={from} message={message} />
    </>
  );
}

const isQuantity = (keys: number) => Number.isInteger(keys) && keys >= 1 && keys <= maxKeysPerOrder;

const giftFields = ["gift.email", "gift.from", "gift.message"] as const;
const fields = ["quantity", ...giftFields] as const;
type FieldName = (typeof fields)[number];

const namesOf = (isGift: boolean): readonly FieldName[] => (isGift ? giftFields : ["quantity"]);

/** Drops the optional fields left empty. */
const withoutEmpty = ({ email, from, message }: Required<NonNullable<CheckoutBody["gift"]>>) => ({
  email,
  ...(from && { from }),
  ...(message && { message }),
});
