import { generate } from "otplib";

export type Entry = {
  name: string;
  /** Base32. */
  secret: string;
  /** A page that takes a code as `#code=123456`. */
  url?: string | undefined;
};

/** The code of now and the one after it, which services accept half a minute early. */
export type Codes = Pick<Entry, "name" | "url"> & { code: string; next: string };

export type Entries = ReturnType<typeof openEntries>;

const stepSeconds = 30;

/** The secrets that the app was given. */
export function openEntries(now: () => Date) {
  let shown: Entry[] = [];
  const seconds = () => Math.floor(now().getTime() / 1000);
  return {
    show(given: Entry[]) {
      shown = given;
    },
    /** Until the codes change. */
    secondsLeft: () => stepSeconds - (seconds() % stepSeconds),
    codes: () => Promise.all(shown.map((one) => codesOf(one, seconds()))),
  };
}

const codesOf = async ({ name, secret, url }: Entry, epoch: number): Promise<Codes> => ({
  name,
  url,
  code: await generate({ secret, epoch }),
  next: await generate({ secret, epoch: epoch + stepSeconds }),
});
