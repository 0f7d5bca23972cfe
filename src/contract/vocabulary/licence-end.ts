type Moment = Date | string | null;

/**
 * Until when a licence runs, as people count: to its subscription's next charge, without the grace after it. Once the
 * charge is due, the grace counts. Null for one that runs for life.
 */
export function licenceEnd(expires: Moment, renews: Moment, now: Date): Date | null {
  if (expires === null) return null;
  const [end, charged] = [new Date(expires), renews === null ? null : new Date(renews)];
  return charged && charged > now && charged < end ? charged : end;
}
