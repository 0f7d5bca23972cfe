import { featureLabels } from "./feature-labels";

/** What people read for a level's feature. */
export const featureLabel = (feature: string): string =>
  (Object.hasOwn(featureLabels, feature) && featureLabels[feature]) || feature;
