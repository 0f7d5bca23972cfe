/**
 * The deeds of which more than one story tells, by the Discord user whom each happens to: whether they held the role
 * before, and whether they hold it once everything is quiet again.
 */
const deeds = {
  linking: { held: false, holds: true },
  disputing: { held: true, holds: false },
  winning: { held: false, holds: true },
  refunded: { held: true, holds: false },
  revoked: { held: true, holds: false },
  expiring: { held: true, holds: false },
  unlinking: { held: true, holds: false },
  // one licence goes, and another is left
  rich: { held: true, holds: true },
  // out of the server and in again
  returning: { held: true, holds: true },
  // the link, to mallory
  moved: { held: true, holds: false },
};

export type DeedName = keyof typeof deeds;

const whose = (role: "held" | "holds") =>
  Object.entries(deeds).flatMap(([user, deed]) => (deed[role] ? [user] : []));

export const holdersBefore = whose("held");
export const holdersAfter = [...whose("holds"), "mallory"];
