import type { ColumnEngine } from './column-engine.ts';

/** Searches, wherever the columns are read. */
export type Columns = Pick<
  ColumnEngine,
  | 'announce'
  | 'page'
  | 'count'
  | 'facet'
  | 'histogram'
  | 'stats'
  | 'group'
  | 'openCursor'
  | 'readCursor'
  | 'readFound'
  | 'closeCursor'
  | 'checkpoint'
  | 'close'
>;

/** What is asked of the engine, and answered. */
export type ColumnMethod = Exclude<keyof Columns, 'announce'>;
