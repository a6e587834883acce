const ANNOTATION_VALUES = {
  opinion: ['benign', 'suspicious', 'malicious', 'obscure'],
  mitigation: ['exempt', 'alertable', 'blockable', 'shareable', 'not-alertable', 'not-blockable', 'not-shareable'],
  assessment: [
    ...['ambiguous', 'security', 'development', 'false-positive', 'legitimate', 'trivial', 'recon', 'attempt'],
    ...['compromise', 'mitigated'],
  ],
};
const ANNOTATION_TYPES = [...Object.keys(ANNOTATION_VALUES), 'frequency', 'context'];

/** Completes an entry with its defaults. Throws for what the enrichment service would refuse. */
export function readEntry(entry, classification) {
  if (!isObject(entry)) throw new TypeError('An entry must be an object.');
  const { count = 1, annotations = [] } = entry;
  if (!Number.isInteger(count)) throw new TypeError('count must be a whole number.');
  if (!Array.isArray(annotations)) throw new TypeError('annotations must be a list.');
  return withoutNull({
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
  if (type === 'frequency' ? !Number.isFinite(value) : typeof value !== 'string') {
    throw new TypeError(`${at}.value must be a ${type === 'frequency' ? 'number' : 'string'}.`);
  }
  for (const [name, number] of Object.entries({ confidence, severity })) {
    const isMissing = name === 'severity' && (number === undefined || number === null);
    if (!isMissing && !(number >= 0 && number <= 1)) throw new TypeError(`${at}.${name} must be from 0 to 1.`);
  }
  if (typeof summary !== 'string') throw new TypeError(`${at}.summary must be a string.`);
  if ((analytic == null) === (author == null)) throw new TypeError(`${at} must have either analytic or author.`);
  return withoutNull({ quantity: 1, ubiquitous: false, timestamp: new Date().toISOString(), ...annotation });
}

/** Returns the entries of a result: a list, one entry, or nothing. */
export function readEntries(result, classification) {
  if (result === undefined || result === null) return [];
  return (Array.isArray(result) ? result : [result]).map((entry) => readEntry(entry, classification));
}

/** Normalises a selector as the enrichment service does. Throws for one that is none. */
export function readSelector(given) {
  if (!isObject(given) || typeof given.type !== 'string' || typeof given.value !== 'string') {
    throw new TypeError('A selector must have the strings type and value.');
  }
  const type = given.type.trim().toLowerCase();
  const ofAddress = given.value.includes(':') ? 'ipv6' : 'ipv4';
  return { ...given, type: type === 'ip' ? ofAddress : type };
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
  return withoutNull(result);
}

/** Checks the result of a fetcher. */
export function readFetcherResult(result) {
  checkOutcome(result);
  if (result.outcome === 'success') {
    if (result.data === undefined || result.data === null) throw new TypeError('A successful fetcher needs data.');
    checkFormat(result.format, result.data, 'data');
    return withoutNull(result);
  }
  if (typeof result.error !== 'string' || result.error === '') throw new TypeError('A failed fetcher needs an error.');
  return { outcome: 'failure', format: 'error', error: result.error, ...(result.link ? { link: result.link } : {}) };
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
