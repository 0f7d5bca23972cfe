/**
 * Events that several stories share, by Discord user: whether the user held the role before, and
 * whether they hold it once everything has settled.
 */
const changes = {
  linking: { held: false, holds: true },
  disputing: { held: true, holds: false },
  winning: { held: false, holds: true },
  refunded: { held: true, holds: false },
  revoked: { held: true, holds: false },
  expiring: { held: true, holds: false },
  unlinking: { held: true, holds: false },
  // one of two licences is lost
  rich: { held: true, holds: true },
  // leaves the server and comes back
  returning: { held: true, holds: true },
  // the link moves to mallory
  moved: { held: true, holds: false },
};

export type ChangeName = keyof typeof changes;

const whose = (role: "held" | "holds") =>
  Object.entries(changes).flatMap(([user, change]) => (change[role] ? [user] : []));

export const holdersBefore = whose("held");
export const holdersAfter = [...whose("holds"), "mallory"];
