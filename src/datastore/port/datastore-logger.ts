/** What the datastore logs to; pino fits. */
export interface DatastoreLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const SILENT: DatastoreLogger = { info: () => {}, warn: () => {}, error: () => {} };
