import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { questions } from "@/brand/questions";
import { firstLevelInData } from "./page/offers";
import { currencyCodePlaceholder, decimalPrice, ownAmount, withPrice } from "./page/currency";

/**
 * What search engines read of the landing page: the product with its price, and the questions that the page answers.
 * https://schema.org, https://developers.google.com/search/docs/appearance/structured-data
 * @param origin the shop's
 */
export const structuredData = (origin: string) => ({
  "@context": "https://schema.org",
  "@graph": [
    {
      "@type": "Product",
      name: firstLevelInData,
      description: withPrice(landing.description),
      image: `${origin}/og.png`,
      brand: { "@type": "Brand", name: brand.shortName },
      offers: {
        "@type": "Offer",
        url: `${origin}/#get`,
        price: decimalPrice(ownAmount),
        priceCurrency: currencyCodePlaceholder,
        availability: "https://schema.org/InStock",
      },
    },
    ...(questions.answers.length === 0 ? [] : [answers()]),
  ],
});

const answers = () => ({
  "@type": "FAQPage",
  mainEntity: questions.answers.map(([name, answer]) => ({
    "@type": "Question",
    name,
    acceptedAnswer: { "@type": "Answer", text: withPrice(answer) },
  })),
});
