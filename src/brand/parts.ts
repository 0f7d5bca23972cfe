import { join } from "node:path";
import { pictureOf } from "./pictures";
import type { Brand } from "./read";

/**
 * What each module of this folder exports, by the module's name: on the server it is read, and for pages the bundler
 * writes modules with it.
 * @param urlOf the address of a picture's file
 */
export function partsOf(all: Brand, urlOf = (file: string): string => file) {
  const { product, shortName, tagline, keyPrefix, level, offer, links, supportEmail, copyright } = all;
  const { landing, features, reasons, questions, token, tickets, commands, logo, legal } = all;
  const pictures = all.gallery.map((one) =>
    pictureOf(one, (file) => urlOf(join(all.folder, "pictures", file))),
  );
  const hero = all.gallery.findIndex(({ picture }) => picture === all.heroPicture);
  return {
    brand: {
      brand: {
        product,
        shortName,
        tagline,
        keyPrefix,
        premium: level,
        offer,
        links,
        supportEmail,
        copyright,
      },
    },
    landing: { landing },
    features: { features },
    reasons: { reasons },
    questions: { questions },
    products: { products: all.cards },
    commands: {
      catalogue: { lead: commands.lead, credit: commands.credit },
      commands: commands.groups,
    },
    token: { token },
    tickets: { support: tickets },
    gallery: { gallery: pictures },
    "hero-picture": { heroPicture: pictures[hero] },
    mark: { mark: logo },
    terms: { terms: legal.terms.document },
    privacy: { privacy: legal.privacy.document },
    refunds: { refunds: legal.refunds.document },
    texts: {
      texts: {
        terms: legal.terms.markdown,
        privacy: legal.privacy.markdown,
        refunds: legal.refunds.markdown,
      },
    },
  };
}
