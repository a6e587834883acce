/** The part of a logger that identity writes to; pino's loggers fit. */
export interface IdentityLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}
