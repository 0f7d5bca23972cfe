import { brand } from "./brand";

/** What people read for a level's feature: the brand's words, or its slug. */
export const featureLabel = (feature: string): string => brand.featureLabels[feature] ?? feature;
