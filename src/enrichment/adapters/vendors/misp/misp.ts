import type { Adapter, Findings, Vendor, VendorSelector } from '../../adapter.ts';
import { encoded } from '../../adapter.ts';
import { anything, list, maybe, readAnswer, record, type Shape, some, text, time } from '../../answer-shape.ts';
import { contextNote, type Finding, named, present } from '../../finding.ts';

/** MISP writes identifiers as strings or numbers, and booleans as strings, numbers or booleans. */
const identifier: Shape<string> = (value, at) => text(typeof value === 'number' ? String(value) : value, at);
const truth: Shape<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : ['1', 'true'].includes(identifier(value, at).toLowerCase());
const TAGS = some(record({ name: text }));
const ATTRIBUTE = record({
  event_id: identifier,
  type: text,
  value: text,
  to_ids: truth,
  category: maybe(text),
  comment: maybe(text),
  timestamp: maybe(time),
  Tag: TAGS,
  Event: maybe(record({ info: maybe(text), Orgc: maybe(record({ name: text })), Tag: TAGS })),
});
const ANSWER = record({ response: record({ Attribute: list(anything) }) });

/** Maximum number of attributes in an answer. */
const MAX_ATTRIBUTES = 1_000;

/** Asks a MISP of the organisation, or of a community, for attributes with a value. */
export const misp: Adapter = {
  name: 'misp',
  title: 'MISP',
  reach: 'passive',
  documentation: 'https://www.misp-project.org/openapi/#tag/Attributes/operation/restSearchAttributes',
  types: ['md5', 'sha1', 'sha256', 'ipv4', 'ipv6', 'domain', 'url', 'email_address'],
  url: undefined,
  key: { in: 'header', name: 'authorization' },
  rateLimits: [],
  valuesPerCall: 100,
  async lookup(selectors, vendor) {
    const limit = Math.min(vendor.limit * selectors.length, MAX_ATTRIBUTES);
    const value = selectors.map((selector) => selector.value);
    const json = { returnFormat: 'json', value, limit, page: 1, includeEventTags: true, enforceWarninglist: false };
    return findingsOf(await vendor.send({ path: '/attributes/restSearch', json }), selectors, vendor);
  },
};

function findingsOf(answer: unknown, selectors: readonly VendorSelector[], { url }: Vendor): Findings {
  const byValue = new Map(selectors.map((selector) => [selector.value.toLowerCase(), selector]));
  const found = new Map<VendorSelector, Finding[]>(selectors.map((selector) => [selector, []]));
  for (const raw of readAnswer(ANSWER, answer).response.Attribute) {
    const attribute = readAnswer(ATTRIBUTE, raw);
    // `filename|md5` and its like have two values.
    for (const value of new Set([attribute.value, ...attribute.value.split('|')].map((one) => one.toLowerCase()))) {
      const selector = byValue.get(value);
      if (selector !== undefined) found.get(selector)?.push(findingOf(attribute, raw, url));
    }
  }
  return found;
}

function findingOf(attribute: ReturnType<typeof ATTRIBUTE>, raw: unknown, url: string): Finding {
  const { event_id: id, Event: event, category, comment, timestamp, to_ids: isIndicator, type } = attribute;
  const tags = [...attribute.Tag, ...(event?.Tag ?? [])].map(({ name }) => name);
  const markings = tags.filter((tag) => /^tlp:[a-z+]+$/i.test(tag)).map((tag) => tag.toUpperCase());
  const title = event?.info ?? `event ${id}`;
  const by = event?.Orgc === undefined ? '' : ` of ${event.Orgc.name}`;
  return {
    link: `${url}/events/view/${encoded(id)}`,
    raw,
    markings,
    notes: present([
      isIndicator && {
        about: 'Indicator',
        type: 'opinion',
        value: 'malicious',
        confidence: 0.8,
        summary: `An indicator (${type}) in the event "${title}"${by}`,
        timestamp,
      },
      contextNote('Event', title, `Event${by}`, { timestamp }),
      contextNote('Category', category, 'Category'),
      contextNote('Comment', comment, 'Comment'),
      contextNote('Tags', named(tags), 'Tags'),
    ]),
  };
}
