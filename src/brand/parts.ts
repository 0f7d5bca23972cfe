import { resolve } from "node:path";
import { offerOf } from "./offer";
import { pictureOf } from "./pictures";
import type { Brand } from "./read";

/**
 * What each module of this folder exports, by the module's name: on the server it is read, and for pages the bundler
 * writes modules with it. What a brand leaves out is missing here too, or has words that name no product.
 * @param urlOf the address of a picture's file
 */
export function partsOf(all: Brand, urlOf = (file: string): string => file) {
  const {
    product,
    shortName,
    tagline,
    keyPrefix,
    offer,
    supportEmail,
    links = {},
    reasons = {},
    legal,
  } = all;
  const premium = all.level ?? { type: "premium", name: offer.name };
  const gallery = (all.gallery ?? []).map((one) => ({
    name: one.picture,
    picture: pictureOf(
      one,
      (file) => urlOf(resolve(all.folder, "pictures", file)),
      all.made?.get(one.picture),
    ),
  }));
  const purchase = { kind: "purchase" as const, label: `Buy ${shortName}` };
  return {
    brand: {
      brand: {
        product,
        shortName,
        tagline,
        keyPrefix,
        premium,
        offer,
        links,
        supportEmail,
        copyright: years(all),
        // in cents, for pages that no shop has filled in, as in development
        previewAmount: offerOf(all, "usd").amount,
      },
    },
    landing: { landing: landingOf(all) },
    sections: { sections: sectionsOf(all) },
    features: { features: all.features ?? {} },
    reasons: { reasons },
    questions: { questions: { title: "Questions", answers: [], ...all.questions } },
    products: { products: all.cards ?? [{ name: offer.name, action: purchase }] },
    commands: {
      catalogue: { lead: all.commands?.lead, credit: all.commands?.credit },
      commands: all.commands?.groups ?? {},
    },
    "feature-labels": { featureLabels: all.featureLabels ?? {} },
    token: { token: all.token ?? null },
    tickets: { support: { ...all.templates.tickets, ...all.tickets } },
    gallery: { gallery: gallery.map(({ picture }) => picture) },
    "hero-picture": { heroPicture: gallery.find(({ name }) => name === all.heroPicture)?.picture ?? null },
    mark: { mark: { viewBox: all.logo.viewBox, body: all.logo.body } },
    legal: {
      terms: legal.terms.document,
      privacy: legal.privacy.document,
      refunds: legal.refunds.document,
      texts: {
        terms: legal.terms.markdown,
        privacy: legal.privacy.markdown,
        refunds: legal.refunds.markdown,
      },
    },
  };
}

/** The words at the top of the public pages, and of each section that the brand has its title, for the menus. */
function landingOf(all: Brand) {
  const { landing = {}, product, shortName, tagline } = all;
  const { features, why, gallery, get } = sectionsOf(all);
  return {
    description: landing.description ?? tagline ?? product,
    hero: { action: `Get ${shortName}`, price: "{price}", from: "From {price}", facts: [], ...landing.hero },
    features: titled(features),
    why: titled(why),
    gallery: titled(gallery),
    get: { title: get.title },
  };
}

const titled = (one: { title: string } | undefined) => one && { title: one.title };

/** The headings and words of the sections below; of one that the brand doesn't have, none. */
function sectionsOf({ landing = {}, shortName, features, reasons, gallery }: Brand) {
  return {
    features: hasAny(features) ? { title: "Features", ...landing.features } : undefined,
    why: hasAny(reasons) ? { title: "Why Us", ...landing.why } : undefined,
    gallery: hasAny(gallery) ? { title: "Gallery", video: "Watch the video", ...landing.gallery } : undefined,
    get: {
      title: `Get ${shortName}`,
      send: "Send yourself the link",
      onComputer: "Already on a computer? Show downloads",
      ...landing.get,
    },
  };
}

const hasAny = (section: object | undefined): boolean => Object.keys(section ?? {}).length > 0;

function years({ copyright }: Brand) {
  const year = new Date().getFullYear();
  return { landing: copyright?.landing ?? year, commands: copyright?.commands ?? year };
}
