import { isIP } from 'node:net';

const ANNOTATION_VALUES = {
  opinion: ['benign', 'suspicious', 'malicious', 'obscure'],
  mitigation: ['exempt', 'alertable', 'blockable', 'shareable', 'not-alertable', 'not-blockable', 'not-shareable'],
  assessment: [
    ...['ambiguous', 'security', 'development', 'false-positive', 'legitimate', 'trivial', 'recon', 'attempt'],
    ...['compromise', 'mitigated'],
  ],
};
/** Types whose values are the same in capital letters. */
const CASELESS_TYPES = ['domain', 'port', 'tenant-id', 'hbs_oid', 'hbs_agent_id'];
const ANNOTATION_TYPES = [...Object.keys(ANNOTATION_VALUES), 'frequency', 'context'];

/** Completes an entry with its defaults. Throws for what the enrichment service would refuse. */
export function readEntry(entry, classification) {
  if (!isObject(entry)) throw new TypeError('An entry must be an object.');
  const { count = 1, annotations = [] } = entry;
  if (!Number.isInteger(count)) throw new TypeError('count must be a whole number.');
  if (!Array.isArray(annotations)) throw new TypeError('annotations must be a list.');
  return withAddress({
    ...entry,
    classification: entry.classification ?? classification,
    count,
    annotations: annotations.map(readAnnotation),
  });
}

function readAnnotation(annotation, index) {
  const at = `annotations.${index}`;
  if (!isObject(annotation)) throw new TypeError(`${at} must be an object.`);
  const { type, value, confidence, severity, summary, analytic, author } = annotation;
  if (!ANNOTATION_TYPES.includes(type))
    throw new TypeError(`${at}.type must be one of ${ANNOTATION_TYPES.join(', ')}.`);
  const allowed = ANNOTATION_VALUES[type];
  if (allowed !== undefined && !allowed.includes(value)) {
    throw new TypeError(`${at}.value must be one of ${allowed.join(', ')}.`);
  }
  const isFrequency = type === 'frequency';
  if (isFrequency ? !Number.isFinite(value) : typeof value !== 'string') {
    throw new TypeError(`${at}.value must be a ${isFrequency ? 'number' : 'string'}.`);
  }
  for (const [name, number] of Object.entries({ confidence, severity })) {
    const isMissing = name === 'severity' && (number === undefined || number === null);
    if (!isMissing && !(number >= 0 && number <= 1)) throw new TypeError(`${at}.${name} must be from 0 to 1.`);
  }
  if (typeof summary !== 'string') throw new TypeError(`${at}.summary must be a string.`);
  if ((analytic == null) === (author == null)) throw new TypeError(`${at} must have either analytic or author.`);
  const reliability = author == null ? undefined : 1;
  return withAddress({
    ...{ quantity: 1, ubiquitous: false, timestamp: new Date().toISOString() },
    ...annotation,
    ...(isFrequency ? { value: Math.trunc(value) } : {}),
    priority: annotation.priority || priorityOf(reliability ?? confidence, severity) || annotation.priority,
    reliability,
  });
}

/** Weighs the severity by how far the annotation is to be trusted: from 0 to 1. */
function priorityOf(trust, severity) {
  return severity ? trust * severity ** (2 - trust) : undefined;
}

/** Returns the entries of a result: a list, one entry, or nothing. */
export function readEntries(result, classification) {
  if (result === undefined || result === null) return [];
  return (Array.isArray(result) ? result : [result]).map((entry) => readEntry(entry, classification));
}

/** Normalises a selector as the enrichment service does. Throws for one that is none. */
export function readSelector(given) {
  if (!isSelector(given)) throw new TypeError('A selector must have the strings type and value.');
  const type = addressType(given.type.trim().toLowerCase().replaceAll('eml', 'email'), given.value);
  if (type === 'telemetry') JSON.parse(given.value);
  return { ...given, type, value: CASELESS_TYPES.includes(type) ? given.value.toLowerCase() : given.value };
}

export function isSelector(given) {
  return isObject(given) && typeof given.type === 'string' && typeof given.value === 'string';
}

/** Returns the version of the address for the type `ip`, else the type. Throws for no address. */
export function addressType(type, value) {
  if (type !== 'ip') return type;
  const version = isIP(value);
  if (version === 0) throw new TypeError(`"${value}" is not an IP address.`);
  return `ipv${version}`;
}

const RESULT_TYPES = {
  markdown: (value) => typeof value === 'string',
  pivot: (value) => URL.canParse(value),
  json: (value) => isObject(value) || Array.isArray(value),
  image: (value) => isObject(value) && typeof value.image === 'string' && typeof value.alt === 'string',
  status: isObject,
  graph: (value) => isObject(value) && Array.isArray(value.data),
};

/** Checks the result of an action. */
export function readActionResult(result) {
  checkOutcome(result);
  if (result.outcome === 'success' && typeof result.format !== 'string') {
    throw new TypeError('A successful action needs a format.');
  }
  checkFormat(result.format, result.output, 'output');
  return withAddress(result);
}

/** Checks the result of a fetcher. */
export function readFetcherResult(result) {
  checkOutcome(result);
  if (result.outcome === 'success') {
    if (result.data === undefined || result.data === null) throw new TypeError('A successful fetcher needs data.');
    checkFormat(result.format, result.data, 'data');
    const { format, data } = result;
    return withAddress(
      format === 'status' ? { ...result, data: withAddress({ empty: false, labels: [], ...data }) } : result,
    );
  }
  if (typeof result.error !== 'string' || result.error === '') throw new TypeError('A failed fetcher needs an error.');
  return withAddress({ outcome: 'failure', format: 'error', error: result.error, link: result.link });
}

function checkOutcome(result) {
  if (!isObject(result) || !['success', 'failure'].includes(result.outcome)) {
    throw new TypeError('The outcome must be success or failure.');
  }
}

function checkFormat(format, value, name) {
  if (format === undefined || format === null) return;
  const fits = RESULT_TYPES[format];
  if (fits !== undefined && !fits(value)) throw new TypeError(`${name} does not fit the format ${format}.`);
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Leaves out members that are null: stores of clients lose records with such members. */
function withoutNull(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

/** Leaves out null members too, and writes the link as browsers do: `http://a.b/` for `http://a.b`. */
function withAddress(object) {
  const { link } = object;
  if (link === undefined || link === null) return withoutNull(object);
  if (!URL.canParse(link)) throw new TypeError(`link: "${link}" is not an address.`);
  return withoutNull({ ...object, link: new URL(link).href });
}
