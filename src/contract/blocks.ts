export const blockKinds = ["device", "email", "network", "discord"] as const;
export type BlockKind = (typeof blockKinds)[number];
