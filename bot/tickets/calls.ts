import { ThreadGone } from "@/domain/tickets/ticket-channels";
import { codeOf, translate } from "../discord/rest";

/** Discord's codes for what a ticket's places can come to. */
export const placeCodes = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  threadArchived: 50083,
  tooManyThreads: 160006,
} as const;

/** A call whose failure the domain is told in its own words. */
export const outside = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw translate(error);
  });

/** The same about a ticket's thread, which may be gone. */
export const inThread = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof ThreadGone) throw error;
    throw codeOf(error) === placeCodes.unknownChannel ? new ThreadGone() : translate(error);
  });
