export type { Deduction, Stock, StockLevel, StockOptions } from './contract.js';
export { createStock } from './create-stock.js';
