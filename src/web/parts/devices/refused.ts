import { Refused } from "../../api/client";

/** Whether the server refused because the account has no licence. */
export const needsLicence = (problem: Error | null) =>
  problem instanceof Refused && problem.code === "license_required";

/** Whether it refused because the license allows no further computer. */
export const isFull = (problem: Error | null) => problem instanceof Refused && problem.code === "places_full";
