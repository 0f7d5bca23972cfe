/** The parts of a run of everything. */

export interface Part {
  name: string;
  /** Globs of its test files. */
  files: string[];
  /** Options of `bun test`. */
  options: readonly string[];
  /** Whether its files start servers: these begin with the longest and share modules. */
  ofServers?: true;
  /** What runs Bun, in place of Bun itself: a program of ours with its first arguments. */
  beside?: string[];
}

// twice as many as a machine of two cores has, because stories also wait: for a process, a bucket, a lease
const servers = { options: ["--parallel=4", "--no-isolate"], ofServers: true } as const;

/** `npm test`. */
export const daily: Part[] = [
  {
    name: "stories",
    files: ["tests/*.test.ts", "tests/units/**/*.test.{ts,tsx}", "tests/stories/**/*.test.{ts,tsx}"],
    ...servers,
  },
  {
    // In a process of its own: a page's globals and a server's don't mix.
    name: "screens",
    files: ["tests/screens/**/*.test.{ts,tsx}"],
    // The page comes first: it is put in order even if the other's hook throws.
    options: [
      "--parallel=2",
      "--no-isolate",
      "--preload=./tests/screens/happy-dom.ts",
      "--preload=./tests/preload.ts",
    ],
  },
  { name: "browser", files: ["tests/browser/**/*.test.ts"], options: [] },
];

const long = (name: string, how: Pick<Part, "options" | "ofServers"> = servers): Part => ({
  name: `long/${name}`,
  files: [`tests/long/${name}/**/*.test.{ts,tsx}`],
  ...how,
});

/** What `npm run test:all` adds. */
export const rest: Part[] = [
  long("kills"),
  long("processes"),
  long("storage"),
  long("models"),
  long("clients"),
  long("demos"),
  long("setup"),
  long("browser", { options: [] }),
  {
    // Beside an empty machine; each test goes on where the one before it stopped.
    name: "manual",
    files: ["tests/manual/**/*.test.ts"],
    options: ["--bail"],
    beside: ["tests/manual/enter.ts", process.execPath],
  },
];

export const drivesChromium = ({ name }: Part) => name.endsWith("browser");

/** Tests that may be skipped where nothing may be missing, by the beginning of their names. */
export const mayBeSkipped: Record<string, string> = {
  "docker run --env-file": "docker's client is no package of every distribution",
  "the image's shop and its command line refuse": "temporary folders may be on a mount of their own",
  "systemd reads it alike": "its library has no promised name",
};
