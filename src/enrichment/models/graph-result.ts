import { isObject } from '../../json/json-object.ts';
import { present } from './json-record.ts';
import { ModelFields, type ModelReading, problem } from './model-reading.ts';

/** A graph of nodes in columns, with how to draw it. */
export interface GraphResult {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: readonly (readonly Readonly<Record<string, unknown>>[])[];
}

type Model = Readonly<Record<string, unknown>>;

/** Reads a graph. Takes camel case and snake case, returns camel case, and rejects unknown keys. */
export function readGraphResult(value: unknown): ModelReading<GraphResult> {
  return readStrict(value, ['id', 'metadata', 'data'], (fields) => {
    const graph = {
      id: fields.string('id'),
      metadata: fields.model('metadata', readMetadata, {}),
      data: fields.list('data', readColumn, true),
    };
    return fields.done(() => graph);
  });
}

/** Reads an object whose keys are all known. */
function readStrict<T>(
  value: unknown,
  names: readonly string[],
  read: (fields: ModelFields) => ModelReading<T>,
): ModelReading<T> {
  if (!isObject(value)) return problem('must be an object');
  const fields = new ModelFields(inCamelCase(value, names));
  for (const key of Object.keys(value)) {
    if (!names.includes(key) && !names.includes(camelCase(key))) fields.reject(key, 'is not a known key');
  }
  return read(fields);
}

function inCamelCase(value: Model, names: readonly string[]): Model {
  const result: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const name = camelCase(key);
    if (names.includes(name)) result[name] = one;
  }
  return result;
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function readColumn(value: unknown): ModelReading<readonly Model[]> {
  if (!Array.isArray(value)) return problem('must be an array of nodes');
  const column = new ModelFields({ nodes: value });
  const nodes = column.list('nodes', readNode);
  const reading = column.done(() => nodes);
  if ('ok' in reading) return reading;
  return { problems: reading.problems.map(({ at, reason }) => ({ at: at.replace(/^nodes\./, ''), reason })) };
}

/** A node may have keys of its own. */
function readNode(value: unknown): ModelReading<Model> {
  if (!isObject(value)) return problem('must be an object');
  const fields = new ModelFields(value);
  const node = {
    ...value,
    id: fields.string('id'),
    edges: fields.strings('edges', []),
    markdown: fields.optionalString('markdown'),
    timestamp: fields.optionalTimestamp('timestamp'),
    annotation: fields.optionalString('annotation'),
    icons: fields.strings('icons', []),
  };
  return fields.done(() => present(node));
}

function readMetadata(value: unknown): ModelReading<Model> {
  return readStrict(value, ['type', 'display', 'subgraphs'], (fields) => {
    const metadata = {
      type: fields.oneOf('type', ['nested'], 'nested'),
      display: fields.model('display', readDisplay, {}),
      subgraphs: fields.list('subgraphs', (one) => readComparator(one)),
    };
    return fields.done(() => metadata);
  });
}

function readDisplay(value: unknown): ModelReading<Model> {
  return readStrict(value, ['displayField', 'styles', 'visualization'], (fields) => {
    const display = {
      displayField: fields.list('displayField', (one) =>
        readComparator(one, ['zoom', 'label'], (of) => ({
          zoom: of.optionalNumber('zoom'),
          label: of.string('label'),
        })),
      ),
      styles: fields.list('styles', (one) =>
        readComparator(one, ['color', 'size', 'type'], (of) => ({
          color: of.optionalString('color'),
          size: of.optionalNumber('size'),
          type: of.oneOf('type', ['node', 'edge']),
        })),
      ),
      visualization: fields.model('visualization', readVisualization, {}),
    };
    return fields.done(() => display);
  });
}

const OPERATORS = ['=', '<', '>', '!=', '<=', '>=', '~'] as const;

function readComparator(
  value: unknown,
  names: readonly string[] = [],
  more: (fields: ModelFields) => Model = () => ({}),
): ModelReading<Model> {
  return readStrict(value, ['field', 'operator', 'value', ...names], (fields) => {
    const compared = fields.raw('value');
    if (typeof compared === 'object' && compared !== null)
      fields.reject('value', 'must be a string, number or boolean');
    const comparator = {
      field: fields.optionalString('field'),
      operator: (fields.raw('operator') ?? undefined) === undefined ? undefined : fields.oneOf('operator', OPERATORS),
      value: compared ?? undefined,
      ...more(fields),
    };
    return fields.done(() => present(comparator));
  });
}

function readVisualization(value: unknown): ModelReading<Model> {
  return readStrict(value, ['config', 'type'], (fields) => {
    const visualization = {
      config: fields.model('config', readConfig, {}),
      type: fields.oneOf('type', ['tree', 'cloud'], 'tree'),
    };
    return fields.done(() => visualization);
  });
}

const SIZES: Readonly<Record<string, number>> = {
  letterSize: 10,
  letterWidth: 6.5,
  xSpacing: 8,
  ySpacing: 20,
  nodeRadius: 6,
  maxArcRadius: 8,
  linePaddingX: 10,
  linePaddingY: 10,
  lineWidth: 3,
};
const SWITCHES: Readonly<Record<string, boolean>> = {
  enableEntryPadding: true,
  truncateLabels: true,
  enableTimestamps: true,
  belowPrevious: false,
};
const DIRECTIONS = ['vertical', 'horizontal'] as const;
const CONFIG_NAMES = [
  ...Object.keys(SIZES),
  ...Object.keys(SWITCHES),
  'textColor',
  'nodeColor',
  'iconOrientation',
  'lineDirection',
  'rowStep',
];

function readConfig(value: unknown): ModelReading<Model> {
  return readStrict(value, CONFIG_NAMES, (fields) => {
    const sizes = Object.fromEntries(
      Object.entries(SIZES).map(([name, fallback]) => [name, fields.number(name, { fallback })]),
    );
    const config = {
      textColor: fields.string('textColor', 'white'),
      nodeColor: fields.model('nodeColor', readNodeColor, {}),
      ...sizes,
      ...Object.fromEntries(Object.entries(SWITCHES).map(([name, fallback]) => [name, fields.boolean(name, fallback)])),
      iconOrientation: directionOf(fields, 'iconOrientation', 'vertical'),
      lineDirection: directionOf(fields, 'lineDirection', 'horizontal'),
      rowStep: fields.number('rowStep', { fallback: 2 * (sizes.ySpacing ?? 0) }),
    };
    return fields.done(() => present(config));
  });
}

/** Null is a direction: none. */
function directionOf(
  fields: ModelFields,
  name: string,
  fallback: (typeof DIRECTIONS)[number],
): (typeof DIRECTIONS)[number] | undefined {
  return fields.raw(name) === null ? undefined : fields.oneOf(name, DIRECTIONS, fallback);
}

function readNodeColor(value: unknown): ModelReading<Model> {
  return readStrict(value, ['border', 'center'], (fields) => {
    const color = { border: fields.string('border', 'grey'), center: fields.string('center', 'white') };
    return fields.done(() => color);
  });
}
