import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { isEmailAddress } from "@/contract/vocabulary/fields";
import { decimalText, minorUnits, money } from "@/contract/vocabulary/money";
import { minPrice, priceFault } from "@/contract/vocabulary/prices";
import { offerFault } from "@/brand/offer";
import { readBrand } from "@/brand/read";
import { ownFolder, sampleFolder, brandFolder as standingFolder } from "@/brand/the-brand";
import { ConfigError } from "@/core/settings/config";
import { expectCurrency, expectFixed, fixedPrefix } from "@/domain/offers/fixed";
import { makeBrand, putFormerBack } from "../../files/brand-folder";
import type { AskedSetting } from "../ui/answer-names";
import { proved, type Tried, unproved, untilRight, wrong } from "../ui/ui";
import { fromDatabase } from "./open";
import { whoAnswers } from "./ours";
import { configSoFar, given, isOutside, save, settingFault, type Setup } from "./state";

/** Where the owner's brand stands, or will stand. */
export function brandFolder(setup: Setup): string {
  const standing = standingFolder(setup.environment);
  return standing === sampleFolder ? ownFolder(setup.environment) : standing;
}

/** The product's name. */
export const productOf = (setup: Setup): string => readBrand(brandFolder(setup)).product;

export const hasShop = (setup: Setup): boolean =>
  given(setup, "PUBLIC_URL") !== "" && given(setup, "OWNER_EMAIL") !== "" && existsSync(brandFolder(setup));

/** Who sells what, where and in which currency. */
export async function shopStep(setup: Setup): Promise<void> {
  const [known = ""] = given(setup, "SELLER").split("\\n");
  const owner = await setup.ui.ask({ name: "OWNER_NAME", asks: "Your name", proposal: known || undefined });
  if (known === "") save(setup, { SELLER: owner });
  const email = await ask(setup, "OWNER_EMAIL", {
    asks: "Your email address, for what needs attention and for your account",
    otherwise: undefined,
    fault: faultOfEmail,
  });
  save(setup, { OWNER_EMAIL: email });
  await addressOf(setup);
  const currency = await currencyOf(setup);
  save(setup, { CURRENCY: currency });
  const seller = await ask(setup, "SELLER", {
    asks: "Who sells, as receipts and legal texts name it; \\n begins another line",
    otherwise: owner,
  });
  save(setup, { SELLER: seller });
  const zone = await ask(setup, "TIME_ZONE", {
    asks: "Time zone, in which figures count days",
    otherwise: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  save(setup, { TIME_ZONE: zone });
  await brandOf(setup, { currency, seller, email });
}

type Asking = {
  asks: string;
  otherwise: string | undefined;
  tidy?: (typed: string) => string;
  fault?: (typed: string) => string | null;
};

async function ask(
  setup: Setup,
  name: AskedSetting,
  { asks, otherwise, tidy = (typed) => typed, fault = (typed) => settingFault(name, typed) }: Asking,
): Promise<string> {
  if (isOutside(setup, name)) return given(setup, name);
  const proposal = given(setup, name) || otherwise;
  const typed = await setup.ui.ask({ name, asks, proposal, fault: (text) => fault(tidy(text)) });
  return tidy(typed);
}

const currencyOf = (setup: Setup): Promise<string> =>
  untilRight(setup.ui, async (): Promise<Tried<string>> => {
    const value = await ask(setup, "CURRENCY", {
      asks: "Currency, in which every price is; it can't change after the first order, test orders included",
      otherwise: "usd",
      tidy: (typed) => typed.toLowerCase(),
    });
    try {
      await expectPossible(setup, value);
    } catch (error) {
      if (error instanceof ConfigError) return wrong(error.message);
      throw error;
    }
    return proved(`Prices are in ${value.toUpperCase()}.`, value);
  });

/** Refuses ({@link ConfigError}) a currency in which the brand's price is none, or another than that of the shop's orders. */
async function expectPossible(setup: Setup, currency: string): Promise<void> {
  const folder = brandFolder(setup);
  const hasBrand = existsSync(folder);
  const isOther = currency !== (given(setup, "CURRENCY") || "usd");
  const fault = isOther && hasBrand ? offerFault(readBrand(folder), currency) : null;
  if (fault !== null) throw new ConfigError(`${fault} Change the price there first.`);
  const expectSame = hasBrand ? expectFixed : expectCurrency;
  await fromDatabase(setup, (ctx) => expectSame({ ...ctx, currency }));
}

/** `shop.example.com/` is `https://shop.example.com`. */
const asAddress = (typed: string) =>
  (/^https?:\/\//.test(typed) ? typed : `https://${typed}`).replace(/\/+$/, "");

async function addressOf(setup: Setup): Promise<void> {
  const { ui } = setup;
  const name = hostname();
  const address = await untilRight(ui, async (): Promise<Tried<string>> => {
    const value = await ask(setup, "PUBLIC_URL", {
      asks: "The shop's address in a browser",
      otherwise: name.includes(".") ? `https://${name}` : undefined,
      tidy: asAddress,
    });
    const answers = await ui.work(`Asking ${value}`, () => whoAnswers(setup, value));
    if (answers === "ours") return proved(`${value} leads to this machine.`, value);
    if (answers === "none") {
      return unproved(`Nothing answers at ${value} yet. It needs a DNS record and a proxy.`, value);
    }
    const sentence = `Something else answers at ${value}, not this shop.`;
    const isMeant = await ui.confirm({
      name: "OTHER_ADDRESS",
      asks: `${sentence} Take the address all the same?`,
      proposal: false,
    });
    if (!isMeant) return wrong(`${sentence} Give another address, or free that one.`);
    return unproved(sentence, value);
  });
  const { trustedProxies } = configSoFar(setup);
  const isProxied = address.startsWith("https:") && trustedProxies === 0;
  save(setup, { PUBLIC_URL: address, ...(isProxied ? { TRUSTED_PROXIES: "1" } : {}) });
}

type Selling = { currency: string; seller: string; email: string };

/** Makes the brand's folder, unless the owner has one. */
async function brandOf(setup: Setup, { currency, seller, email }: Selling): Promise<void> {
  const { ui } = setup;
  const folder = ownFolder(setup.environment);
  putFormerBack(folder);
  if (existsSync(folder)) {
    return ui.proved(`The product's names, price and texts stand in ${folder}: change them there.`);
  }
  const product = await ui.ask({ name: "PRODUCT", asks: "What you sell: the product's name" });
  const shortName = await ui.ask({ name: "SHORT_NAME", asks: "Its short name", proposal: product });
  const fixed = await fromDatabase(setup, fixedPrefix);
  const keyPrefix = await ui.ask({
    name: "KEY_PREFIX",
    asks: "The first group of every licence key; it can't change after the first key",
    proposal: fixed ?? prefixOf(shortName),
    fault: (typed) => faultOfPrefix(typed.toUpperCase(), fixed),
  });
  const price = await ui.ask({
    name: "PRICE",
    asks: `The first price, in ${currency.toUpperCase()}`,
    // nobody's script is to sell at a price that it doesn't name
    proposal: ui.isTerminal ? proposedPrice(currency) : undefined,
    fault: (typed) => faultOfPrice(typed, currency),
  });
  const supportEmail = await ui.ask({
    name: "SUPPORT_EMAIL",
    asks: "Your customers' address for questions, which pages, emails and the legal texts show",
    proposal: email,
    fault: faultOfEmail,
  });
  makeBrand(folder, {
    product,
    shortName,
    keyPrefix: keyPrefix.toUpperCase(),
    supportEmail,
    price: decimalText(minorUnits(price, currency) ?? 0, currency),
    seller: seller.replaceAll("\\n", "\n"),
    address: given(setup, "PUBLIC_URL"),
  });
  ui.proved(`The price is ${money(minorUnits(price, currency) ?? 0, currency)}.`);
  ui.proved(`The brand was written to ${folder}: names, price and texts, which you can change there.`);
}

/** 29.00, or what is at least ten times Stripe's least amount and ends as amounts of the currency must. */
const proposedPrice = (currency: string): string =>
  decimalText(Math.max(2900, 10 * minPrice(currency)), currency);

const longestPrefix = 10;

const prefixOf = (name: string): string | undefined => {
  const letters = name
    .normalize("NFKD")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
  return letters.length >= 2 ? letters.slice(0, longestPrefix) : undefined;
};

const faultOfEmail = (typed: string): string | null =>
  isEmailAddress(typed) ? null : "It must be an email address.";

function faultOfPrefix(typed: string, fixed: string | null): string | null {
  if (fixed !== null && typed !== fixed) return `It must be ${fixed}, with which the shop's keys begin.`;
  return /^[A-Z0-9]{2,10}$/.test(typed)
    ? null
    : "It must be 2 to 10 letters and digits, without dashes or spaces.";
}

function faultOfPrice(typed: string, currency: string): string | null {
  const amount = minorUnits(typed, currency);
  return amount === null ? "It must be an amount, such as 5 or 4.99." : priceFault(amount, currency);
}
