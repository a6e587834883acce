/** The log of the datastore, compatible with pino. */
export interface DatastoreLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const SILENT: DatastoreLogger = { info: () => {}, warn: () => {}, error: () => {} };
