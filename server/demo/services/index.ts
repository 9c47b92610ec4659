import type { Service } from '@/server/demo/service';
import { archive } from './archive';
import { catalog } from './catalog';
import { checkout } from './checkout';
import { deliveries } from './deliveries';
import { hotStock } from './hot-stock';
import { inventory } from './inventory';
import { invoices } from './invoices';
import { ledger } from './ledger';
import { migration } from './migration';
import { monthEnd } from './month-end';
import { orders } from './orders';
import { parcels } from './parcels';
import { payments } from './payments';
import { rebuild } from './rebuild';
import { refunds } from './refunds';
import { reprice } from './reprice';
import { scheduler } from './scheduler';
import { seats } from './seats';
import { settlement } from './settlement';
import { slowImport } from './slow-import';
import { transfers } from './transfers';
import { warehouse } from './warehouse';

/** Every service that a worker process can run. */
export const SERVICES = {
  archive,
  catalog,
  checkout,
  deliveries,
  'hot-stock': hotStock,
  inventory,
  invoices,
  ledger,
  migration,
  'month-end': monthEnd,
  orders,
  parcels,
  payments,
  rebuild,
  refunds,
  reprice,
  scheduler,
  seats,
  settlement,
  'slow-import': slowImport,
  transfers,
  warehouse,
} satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;
