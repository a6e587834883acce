import { InvalidData } from './errors.js';
import { isObject, readSelector } from './models.js';

const ID = /^[a-z_]/;
const BOOLEANS = { true: true, false: false, 1: true, 0: false };
const PRIMITIVES = ['string', 'number', 'integer', 'boolean'];

const DEFINITIONS = {
  ActionContextInformation: {
    additionalProperties: true,
    properties: {
      url: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Url' },
      timestamp: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Timestamp' },
      language: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Language' },
    },
    title: 'ActionContextInformation',
    type: 'object',
  },
  Selector: {
    properties: {
      type: { title: 'Type', type: 'string' },
      value: { title: 'Value', type: 'string' },
      classification: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Classification' },
      sources: {
        anyOf: [{ items: { type: 'string' }, type: 'array' }, { type: 'null' }],
        default: null,
        title: 'Sources',
      },
    },
    required: ['type', 'value'],
    title: 'Selector',
    type: 'object',
  },
};

/** Checks an action. Throws when its definition cannot be listed. */
export function checkAction(action) {
  if (!isObject(action) || !ID.test(action.id ?? '')) throw new TypeError(`The action ${action?.id} has no usable id.`);
  if (typeof action.name !== 'string') throw new TypeError(`The action ${action.id} has no name.`);
  if (typeof action.run !== 'function') throw new TypeError(`The action ${action.id} has no function run.`);
  for (const [name, field] of Object.entries(action.params ?? {})) {
    const types = field.enum === undefined ? [field.type] : ['string'];
    if (!types.every((type) => PRIMITIVES.includes(type))) {
      throw new TypeError(
        `The parameter ${name} of the action ${action.id} must be a string, number, integer or boolean.`,
      );
    }
  }
  return action;
}

/** Describes an action as the listing does. */
export function actionSpec(action, classification) {
  const { id, name, summary, supportedTypes = [], icon, acceptEmpty = false, acceptMultiple = false, format } = action;
  return {
    id,
    name,
    classification: action.classification ?? classification,
    ...(summary === undefined ? {} : { summary }),
    supported_types: [...supportedTypes].sort(),
    ...(icon === undefined ? {} : { action_icon: icon }),
    accept_empty: acceptEmpty,
    accept_multiple: acceptMultiple,
    ...(format === undefined ? {} : { format }),
    extra_schema: action.extraSchema ?? {},
    params: paramsSchema(action),
  };
}

function paramsSchema({ id, params = {} }) {
  const fields = Object.entries(params).map(([name, { optional = false, ...field }]) => {
    const { type, enum: values, default: usual = null, ...rest } = field;
    const schema = values === undefined ? { type } : { type: type ?? 'string', enum: values };
    const title = { title: name };
    return [
      name,
      optional
        ? { ...title, anyOf: [schema, { type: 'null' }], default: usual, ...rest }
        : { ...title, ...schema, ...rest, ...(field.default === undefined ? {} : { default: usual }) },
    ];
  });
  const required = Object.entries(params).flatMap(([name, { optional = false, default: usual }]) =>
    optional || usual !== undefined ? [] : [name],
  );
  return {
    $defs: DEFINITIONS,
    properties: {
      // No `context`, which requests may have: of its reference the pages of the public system make an invalid form.
      selector: { anyOf: [{ $ref: '#/$defs/Selector' }, { type: 'null' }], default: null },
      selectors: { default: [], items: { $ref: '#/$defs/Selector' }, title: 'Selectors', type: 'array' },
      ...Object.fromEntries(fields),
    },
    ...(required.length === 0 ? {} : { required }),
    title: id,
    type: 'object',
  };
}

/** Reads the request of an action. Throws InvalidData that names the member. */
export function readActionRequest(action, body) {
  if (!isObject(body)) throw new InvalidData('The body must be an object.');
  const { context = null, selector: one = null, selectors: several = [] } = body;
  if (!Array.isArray(several)) throw new InvalidData('selectors: must be a list.');
  const selectors = (one === null ? several : [one, ...several]).map((given, index) => {
    try {
      return readSelector(given);
    } catch (error) {
      throw new InvalidData(`selectors.${index}: ${error.message}`);
    }
  });
  if (selectors.length === 0 && !action.acceptEmpty) throw new InvalidData('The action needs a selector.');
  if (selectors.length > 1 && !action.acceptMultiple) throw new InvalidData('The action takes one selector.');
  const types = action.supportedTypes ?? [];
  const other = types.length === 0 ? undefined : selectors.find(({ type }) => !types.includes(type));
  if (other !== undefined) throw new InvalidData(`The action does not take the type ${other.type}.`);
  const params = Object.fromEntries(
    Object.entries(action.params ?? {}).map(([name, field]) => [name, readField(name, field, body[name])]),
  );
  return { selector: selectors[0] ?? null, selectors, params, context: readContext(context) };
}

function readField(name, { type, enum: values, optional = false, default: usual }, given) {
  if (given === undefined || given === null) {
    if (usual !== undefined) return usual;
    if (optional) return null;
    throw new InvalidData(`${name}: is required.`);
  }
  if (values !== undefined) {
    if (values.includes(given)) return given;
    throw new InvalidData(`${name}: must be one of ${values.join(', ')}.`);
  }
  const value = coerced(type, given);
  const fits = type === 'integer' ? Number.isInteger(value) : typeof value === type && !Number.isNaN(value);
  if (!fits) throw new InvalidData(`${name}: must be of the type ${type}.`);
  return value;
}

/** Forms send numbers and booleans as strings, too. */
function coerced(type, given) {
  if (typeof given !== 'string' || type === 'string' || given.trim() === '') return given;
  return type === 'boolean' ? (BOOLEANS[given.toLowerCase()] ?? given) : Number(given);
}

/** Pages send the whole `window.location` as `url`. */
function readContext(context) {
  if (!isObject(context)) return null;
  return isObject(context.url) ? { ...context, url: context.url.href ?? null } : context;
}

/** Returns the action; its declaration types the parameters. */
export function defineAction(action) {
  return checkAction(action);
}
