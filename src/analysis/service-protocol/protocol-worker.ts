/** A worker of a service that calls over the protocol. */
export interface ProtocolWorker {
  /** Name of the container. */
  readonly container: string;
  readonly service: string;
  /** Version of the service, without the label of the stable channel. */
  readonly version: string;
  /** Version of its tools; undefined when it has none. */
  readonly toolVersion: string | undefined;
}
