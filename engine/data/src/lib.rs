//! TOML and CSV files, layers, origins and diagnostics of Sandtable.
//!
//! A game is a folder of tables; layers change it by id; [`catalog::load`] merges them into one
//! [`catalog::Catalog`] in which every value knows where it came from. All problems are collected as
//! [`diagnostic::Diagnostic`]s. Only [`mod@file`] and [`package`] read files.

pub mod catalog;
mod catalog_load;
mod conflict;
pub mod csv_file;
mod csv_file_cells;
pub mod definition;
pub mod diagnostic;
pub mod diagnostic_codes;
pub mod file;
pub mod layer;
pub mod layer_option;
mod merge;
mod merge_each;
mod merge_fold;
mod merge_like;
mod merge_lists;
mod merge_matrix;
mod merge_patch;
pub mod origin;
pub mod package;
pub mod package_manifest;
pub mod package_search;
pub mod render;
mod render_json;
pub mod source;
pub mod suggest;
pub mod toml_file;
mod toml_file_keys;
mod toml_file_source;
pub mod tree;
pub mod tree_path;
pub mod tree_read;
mod tree_table;

#[cfg(test)]
mod conflict_tests;
#[cfg(test)]
mod csv_file_tests;
#[cfg(test)]
mod diagnostic_testing;
#[cfg(test)]
mod merge_tests;
#[cfg(test)]
mod package_tests;
#[cfg(test)]
mod render_tests;
#[cfg(test)]
mod toml_file_tests;
