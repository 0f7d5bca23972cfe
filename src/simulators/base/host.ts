/** The hosts of endpoints on this machine, as URLs spell them: 127.0.0.0/8, `[::1]` and RFC 6761's names. */
const ownHosts = /^(127(\.\d{1,3}){3}|\[::1\]|([^.]+\.)*localhost\.?)$/;

/** Whether a URL leads to this machine. */
export const leadsHere = (url: string): boolean => ownHosts.test(URL.parse(url)?.hostname ?? "");

/** The names by which a browser reaches this machine. */
const ownNames = /^(127\.0\.0\.1|localhost|[\w-]+\.localhost|\[::1\])$/i;

/**
 * Whether a request names this machine as its host. Under another name, a website may be trying to read and act from a
 * visitor's browser (DNS rebinding).
 */
export const namesThisMachine = (request: Request): boolean => ownNames.test(new URL(request.url).hostname);

export const otherHost = (): Response =>
  new Response("This simulator answers on localhost only.", { status: 421 });

/** Answers only requests that name this machine. */
export const forThisMachine =
  (answer: (request: Request) => Response | Promise<Response>) =>
  (request: Request): Response | Promise<Response> =>
    namesThisMachine(request) ? answer(request) : otherHost();
