export { createConfigFeed, createConfigReader } from './config-feed.js';
export { readConfigStatus, type ConfigStatus } from './config-status.js';
export type { ConfigAddress } from './config-wire.js';
export { createConfigWriter } from './config-writer.js';
export type {
  AcknowledgeOptions,
  ChangeListener,
  ConfigFeed,
  ConfigFeedOptions,
  ConfigReader,
  ConfigReaderOptions,
  ConfigSnapshot,
  ConfigWriter,
  ConfigWriterOptions,
  RefusedVersion,
} from './contract.js';
