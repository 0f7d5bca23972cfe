import { support } from "@/brand/tickets";

const topics: Record<string, { name: string } | undefined> = support.topics;

/** What people call a topic; one that the shop no longer has goes by its own word. */
export const topicName = (topic: string): string => topics[topic]?.name ?? topic;
