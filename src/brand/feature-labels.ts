import { partOf } from "./the-brand";

/** What people read for the levels' features, by their slugs; a feature without a label is shown by its slug. */
export const { featureLabels } = partOf("feature-labels");
