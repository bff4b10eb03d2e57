/* SPDX-License-Identifier: MIT */
/* Escaping for XML; see xml.h. */
#include "clash/xml.h"

#include <string.h>

#include "text/utf8.h"

/* XML 1.0 cannot hold most control characters and two other code points, not even escaped. */
static bool is_legal(const unsigned char *at, size_t length)
{
    if (length == 1)
        return *at >= 0x20 || *at == '\n' || *at == '\t' || *at == '\r';
    return !(length == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe);
}

void grz_xml_put(grz_sink *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';)
    {
        size_t length = grz_utf8_length(at);
        if (length == 0)
            grz_sink_text(out, "\xef\xbf\xbd");
        else if (is_legal(at, length))
        {
            if (length == 1 && strchr("&<>\"'\n\t\r", *at) != NULL)
                grz_sink_format(out, "&#%d;", *at);
            else
                grz_sink_bytes(out, (const char *)at, length);
        }
        at += length == 0 ? 1 : length;
    }
}

void grz_xml_put_attribute(grz_sink *out, const char *name, const char *value)
{
    grz_sink_format(out, " %s=\"", name);
    grz_xml_put(out, value);
    grz_sink_byte(out, '"');
}
