import type { Service } from '@/server/demo/service';
import { catalog } from './catalog';
import { hotStock } from './hot-stock';
import { inventory } from './inventory';
import { invoices } from './invoices';
import { migration } from './migration';
import { monthEnd } from './month-end';
import { orders } from './orders';
import { payments } from './payments';
import { rebuild } from './rebuild';
import { scheduler } from './scheduler';
import { settlement } from './settlement';
import { slowImport } from './slow-import';
import { transfers } from './transfers';
import { warehouse } from './warehouse';

/** Every service that a worker process can run. */
export const SERVICES = {
  catalog,
  'hot-stock': hotStock,
  inventory,
  invoices,
  migration,
  'month-end': monthEnd,
  orders,
  payments,
  rebuild,
  scheduler,
  settlement,
  'slow-import': slowImport,
  transfers,
  warehouse,
} satisfies Record<string, Service>;

export type ServiceName = keyof typeof SERVICES;
