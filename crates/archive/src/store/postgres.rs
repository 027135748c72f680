//! The PostgreSQL backend.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use postgres::binary_copy::BinaryCopyInWriter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls, Statement};

use super::schema::TableDef;
use super::value::ValueRef;
use super::{DbRow, Value};
use crate::error::{ArchiveError, Result};

pub(super) struct Postgres {
    client: RefCell<Client>,
    /// Prepared statements are cached.
    prepared: RefCell<HashMap<String, Arc<Statement>>>,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Postgres")
    }
}

impl Postgres {
    pub(super) fn open(url: &str) -> Result<Self> {
        let client = Client::connect(url, NoTls)?;
        Ok(Self { client: RefCell::new(client), prepared: RefCell::default() })
    }

    fn prepare(&self, sql: &str) -> Result<Arc<Statement>> {
        if let Some(cached) = self.prepared.borrow().get(sql) {
            return Ok(Arc::clone(cached));
        }
        let statement = Arc::new(self.client.borrow_mut().prepare(sql)?);
        self.prepared.borrow_mut().insert(sql.into(), Arc::clone(&statement));
        Ok(statement)
    }

    pub(super) fn tables(&self) -> Result<Vec<String>> {
        let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) ORDER BY 1";
        let rows = self.client.borrow_mut().query(sql, &[])?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    pub(super) fn for_each_row(
        &self,
        sql: &str,
        values: &[Value],
        mut visit: impl FnMut(DbRow<'_>) -> Result<bool>,
    ) -> Result<()> {
        let statement = self.prepare(sql)?;
        let mut client = self.client.borrow_mut();
        let mut rows = client.query_raw(&*statement, values)?;
        while let Some(row) = rows.next()? {
            if !visit(DbRow::Postgres(&row))? {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn execute(&self, sql: &str, values: &[Value]) -> Result<u64> {
        let statement = self.prepare(sql)?;
        let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
        Ok(self.client.borrow_mut().execute(&*statement, &values)?)
    }

    pub(super) fn execute_batch(&self, sql: &str) -> Result<()> {
        Ok(self.client.borrow_mut().batch_execute(sql)?)
    }

    pub(super) fn insert_all(&self, table: &TableDef, rows: &[Vec<Value>]) -> Result<()> {
        // Preparing a query returns the column types.
        let statement = self.prepare(&format!("SELECT {} FROM {}", table.columns.join(", "), table.name))?;
        let types: Vec<Type> = statement.columns().iter().map(|column| column.type_().clone()).collect();
        let mut client = self.client.borrow_mut();
        let sql = format!("COPY {} ({}) FROM STDIN BINARY", table.name, table.columns.join(", "));
        let mut writer = BinaryCopyInWriter::new(client.copy_in(&sql)?, &types);
        for row in rows {
            writer.write_raw(row.iter())?;
        }
        writer.finish()?;
        Ok(())
    }
}

pub(super) fn value_at(row: &postgres::Row, column: usize) -> Result<ValueRef<'_>> {
    Ok(match row.columns()[column].type_() {
        &Type::INT8 => row.try_get::<_, Option<i64>>(column)?.map_or(ValueRef::Null, ValueRef::Integer),
        &Type::INT4 => {
            row.try_get::<_, Option<i32>>(column)?.map_or(ValueRef::Null, |n| ValueRef::Integer(n.into()))
        }
        &Type::INT2 => {
            row.try_get::<_, Option<i16>>(column)?.map_or(ValueRef::Null, |n| ValueRef::Integer(n.into()))
        }
        &Type::FLOAT8 => row.try_get::<_, Option<f64>>(column)?.map_or(ValueRef::Null, ValueRef::Float),
        &Type::TEXT | &Type::VARCHAR | &Type::NAME => {
            row.try_get::<_, Option<&str>>(column)?.map_or(ValueRef::Null, ValueRef::Text)
        }
        &Type::BYTEA => row.try_get::<_, Option<&[u8]>>(column)?.map_or(ValueRef::Null, ValueRef::Bytes),
        other => return Err(ArchiveError::Corrupt(format!("a column has the type {other}"))),
    })
}
