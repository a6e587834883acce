/** A request that both twins get. */
export interface EqualRequest {
  /** Method and path; GET without one. */
  readonly at: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: GOOD_TOKEN. False: none. */
  readonly token?: string | false;
  /** Why the text of the error, or the whole body, is not compared. */
  readonly volatile?: Readonly<Partial<Record<'message' | 'body', string>>>;
  /** Statuses of both, where the public SDK is plainly broken, and why. */
  readonly differs?: { readonly python: number; readonly ours: number; readonly reason: string };
}

/** The public SDK reads the user from the claims of every token before it lists actions. */
export const GOOD_TOKEN = `e30.${Buffer.from('{"email":"ann@example.org"}').toString('base64url')}.e30`;

const PAGE = { body: 'the public SDK answers with an HTML page of its framework' };
const WORDS = { message: 'the words of the library that checks the request' };
const UNCAUGHT = 'an exception that the public SDK does not catch';

const ip = { type: 'ipv4', value: '192.0.2.7' };
const domain = { type: 'domain', value: 'example.org' };
const valued = (value: string, type = 'domain') => ({ type, value });
/** Values are encoded twice in addresses. */
const twice = (value: string) => encodeURIComponent(encodeURIComponent(value));

/** Requests to the example plugin of the public system and its twin, which take no token. */
export const EXAMPLE_REQUESTS: readonly EqualRequest[] = [
  { at: '/types/' },
  { at: '/types' },
  { at: '/lookup/ipv4/192.0.2.7/' },
  { at: '/lookup/ipv4/192.0.2.7' },
  { at: '/lookup/ip/192.0.2.7/' },
  { at: '/lookup/ip/2001:db8::7/' },
  { at: `/lookup/url/${twice('https://example.org/a b?c=d&e=%2F#f')}/` },
  { at: `/lookup/email_address/${twice('Ann.Öst@Example.org')}/` },
  { at: '/lookup/domain/once%20encoded/' },
  { at: '/lookup/domain/%25E2%2582%25AC/' },
  { at: '/lookup/domain/broken%25zz/' },
  { at: '/lookup/domain/a+b/' },
  { at: '/lookup/md5/x/' },
  { at: '/lookup/Domain/x/' },
  { at: '/lookup/ip/nothing/', differs: { python: 500, ours: 422, reason: UNCAUGHT } },
  { at: '/lookup/domain/x/?deadline=1' },
  { at: '/lookup/domain/x/?deadline=later&max_timeout=long&limit=many' },
  { at: 'POST /lookup/', json: [ip, domain, valued('https://example.org/', 'url'), valued('x', 'md5')] },
  { at: 'POST /lookup', json: [domain, domain] },
  { at: 'POST /lookup/', json: [] },
  { at: 'POST /lookup/', json: [valued('__proto__'), valued('constructor')] },
  { at: 'POST /lookup/', json: [valued('x', 'IPv4'), valued('192.0.2.7', 'ip')] },
  { at: 'POST /lookup/', json: {} },
  { at: 'POST /lookup/', json: [{ type: 'domain' }] },
  { at: 'POST /lookup/', json: [1], differs: { python: 500, ours: 422, reason: UNCAUGHT } },
  { at: 'POST /lookup/?deadline=1', json: [domain] },
  { at: 'POST /lookup/', body: '[{', headers: { 'content-type': 'application/json' }, volatile: PAGE },
  { at: 'POST /lookup/', body: '[]', headers: { 'content-type': 'text/plain' }, volatile: PAGE },
  { at: 'POST /lookup/', json: [domain], headers: { 'content-type': 'application/json; charset=utf-8' } },
  { at: '/actions/' },
  { at: 'POST /actions/note', json: { selector: domain } },
  { at: '/fetchers/' },
  { at: 'POST /fetchers/text', json: domain },
  { at: '/healthz/live' },
  { at: '/healthz/ready' },
  { at: '/', volatile: PAGE },
  { at: '/lookup/', volatile: PAGE },
  { at: '/lookup/domain', volatile: PAGE },
  { at: 'DELETE /types/', volatile: PAGE },
  { at: 'POST /healthz/live', volatile: PAGE },
  { at: 'HEAD /types/' },
  { at: 'OPTIONS /types/', volatile: PAGE },
];

/** Requests to the plugin with every slot and its twin. */
export const EVERY_SLOT_REQUESTS: readonly EqualRequest[] = [
  { at: '/lookup/domain/x/?limit=5&no_annotation=True&include_raw=True&no_cache=True' },
  { at: '/lookup/domain/x/?limit=5000&no_annotation=1&include_raw=&no_cache=no' },
  { at: '/lookup/domain/many/?include_raw=true' },
  { at: '/lookup/domain/many/' },
  { at: '/lookup/domain/none/' },
  ...['invalid', 'missing', 'late', 'odd', 'broken'].map((value) => ({ at: `/lookup/domain/${value}/` })),
  { at: '/lookup/domain/x/', token: false },
  { at: '/lookup/domain/x/', token: 'forged' },
  { at: '/lookup/url/x/', token: false },
  { at: 'POST /lookup/?include_raw=True', json: ['many', 'none', 'x', 'missing'].map((value) => valued(value)) },
  { at: 'POST /lookup/', json: ['invalid', 'late', 'odd', 'broken'].map((value) => valued(value)) },
  { at: 'POST /lookup/?max_timeout=0.5', json: [valued('slow'), valued('x')] },
  { at: 'POST /lookup/', json: [domain], token: 'forged' },
  { at: '/actions/' },
  { at: '/actions/', token: 'opaque', differs: { python: 500, ours: 200, reason: UNCAUGHT } },
  { at: '/actions/', token: false },
  { at: 'POST /actions/note', json: { selector: domain, selectors: [], comment: 'a', context: { url: 'http://a' } } },
  { at: 'POST /actions/note/', json: { selectors: [ip], comment: 'é', times: 3, urgent: true, author: 'Ann' } },
  { at: 'POST /actions/note', json: { selector: domain, comment: 'a', times: '3', urgent: 'true', other: 1 } },
  { at: 'POST /actions/note', json: { selector: domain }, volatile: WORDS },
  { at: 'POST /actions/note', json: { selector: domain, comment: 'a', times: 'often' }, volatile: WORDS },
  { at: 'POST /actions/note', json: { selector: { type: 'domain' }, comment: 'a' }, volatile: WORDS },
  { at: 'POST /actions/note', json: { comment: 'a' }, volatile: WORDS },
  { at: 'POST /actions/note', json: {} },
  { at: 'POST /actions/note', body: '{', headers: { 'content-type': 'application/json' }, volatile: WORDS },
  { at: 'POST /actions/gather', json: { selectors: [ip, domain, valued('192.0.2.9', 'ip')] } },
  { at: 'POST /actions/open', json: { selector: domain, selectors: [] } },
  { at: 'POST /actions/begin', json: { context: null, selectors: [] } },
  ...['told', 'known', 'broken'].map((value) => ({ at: 'POST /actions/fail', json: { selector: valued(value) } })),
  { at: 'POST /actions/other', json: { selector: domain } },
  { at: 'POST /actions/other', json: { selector: domain }, token: false },
  { at: 'POST /actions/note', json: { selector: domain, comment: 'a' }, token: false },
  { at: 'POST /actions/note', json: { selector: domain, comment: 'a' }, token: 'forged' },
  { at: '/fetchers/' },
  { at: 'POST /fetchers/text', json: valued('Example.ORG', ' Domain ') },
  { at: 'POST /fetchers/text/', json: valued('192.0.2.9', 'ip') },
  { at: 'POST /fetchers/record', json: domain },
  { at: 'POST /fetchers/picture', json: domain },
  { at: 'POST /fetchers/state', json: domain },
  ...['told', 'known', 'broken'].map((value) => ({ at: 'POST /fetchers/text', json: valued(value) })),
  { at: 'POST /fetchers/text', json: {} },
  { at: 'POST /fetchers/text', json: { type: 'domain' }, volatile: WORDS },
  {
    at: 'POST /fetchers/text',
    ...{ body: '{', headers: { 'content-type': 'application/json' }, volatile: WORDS },
    differs: { python: 500, ours: 400, reason: 'its own check of the body fails before it is read' },
  },
  { at: 'POST /fetchers/other', json: domain },
  { at: 'POST /fetchers/text', json: domain, token: 'forged' },
];
