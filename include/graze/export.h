/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Export macros and the version of these headers.
 */
#ifndef GRAZE_EXPORT_H
#define GRAZE_EXPORT_H

#define GRAZE_VERSION_MAJOR 0
#define GRAZE_VERSION_MINOR 1
#define GRAZE_VERSION_PATCH 0

#if defined(GRAZE_STATIC)
#define GRAZE_API
#elif defined(_WIN32)
#if defined(GRAZE_BUILDING)
#define GRAZE_API __declspec(dllexport)
#else
#define GRAZE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define GRAZE_API __attribute__((visibility("default")))
#else
#define GRAZE_API
#endif

/// Default functions of structs that begin with `struct_size` are inline, so that the size is the caller's.
#define GRAZE_INLINE static inline

#ifdef __cplusplus
#define GRAZE_BEGIN_DECLS                                                                                              \
    extern "C"                                                                                                         \
    {
#define GRAZE_END_DECLS }
#else
#define GRAZE_BEGIN_DECLS
#define GRAZE_END_DECLS
#endif

#endif
