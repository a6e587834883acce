/** An error with the status that the protocol gives it. */
export class PluginError extends Error {
  constructor(status, message, options) {
    super(message, options);
    this.name = new.target.name;
    this.status = status;
  }
}

const ofStatus = (status, usual) =>
  class extends PluginError {
    constructor(message = usual, options) {
      super(status, message, options);
    }
  };

export class InvalidData extends ofStatus(400, 'The request is not valid.') {}
export class AuthenticationFailed extends ofStatus(401, 'The token is not valid.') {}
export class NotFound extends ofStatus(404, '') {}
export class TimedOut extends ofStatus(408, 'Request Timed Out') {}
export class Unprocessable extends ofStatus(422, 'The value cannot be processed.') {}

/** Returns the status and message of anything that was thrown. */
export function failureOf(error) {
  if (error instanceof PluginError) return { status: error.status, message: error.message };
  if (error?.name === 'TimeoutError' || error?.name === 'AbortError')
    return { status: 408, message: 'Request Timed Out' };
  return { status: 500, message: error instanceof Error ? error.message : String(error) };
}

/** Gives an error the data of its answer, in place of null. */
export function withData(error, data) {
  return Object.assign(error, { data });
}
